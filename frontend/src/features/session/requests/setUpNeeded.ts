import { client, unwrap } from "@/shared/api/client";

/** Whether nobody can sign in yet. */
export async function setUpNeeded(): Promise<boolean> {
  return (await unwrap<{ needed: boolean }>(client.GET("/api/v1/set-up/", {}))).needed;
}
