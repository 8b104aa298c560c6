import { expect, it } from "vitest";
import { ApiError } from "@/shared/api/client";
import { wholeText } from "./useErrorText";

const asItIs = (text: string) => text;

it("says nothing twice", () => {
  const fields = { definition: ["This field is required."], yaml: ["There is no such field."] };
  const detail = "definition: This field is required. yaml: There is no such field.";
  expect(wholeText(new ApiError(400, { detail, fields }), asItIs)).toBe(detail);
  expect(
    wholeText(new ApiError(409, { detail: "ada is taken.", fields: { username: ["Pick another."] } }), asItIs),
  ).toBe("ada is taken. Pick another.");
  expect(wholeText(new ApiError(502, {}), asItIs)).toBe("HTTP 502");
});
