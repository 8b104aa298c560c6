import { client, unwrap } from "@/shared/api/client";
import type { Page, Token } from "@/shared/api/shapes";

export function tokenList(cursor?: string): Promise<Page<Token>> {
  return unwrap<Page<Token>>(client.GET("/api/v1/tokens/", { params: { query: { cursor } } }));
}
