import { expect, it } from "vitest";
import { knownActor, knownDetail, knownRole, knownValue } from "./actions";

it("has words for the codes of details, and leaves what people wrote as it is", () => {
  expect(knownDetail("revision")).toBe("revision");
  expect(knownDetail("colour")).toBeUndefined();
  expect(knownValue("kind", "first_admin")).toBe("first_admin");
  expect(knownValue("title", "first_admin")).toBeUndefined();
  expect(knownRole("role", "author")).toBe("author");
  expect(knownRole("title", "author")).toBeUndefined();
  expect(knownActor("system")).toBe("system");
  expect(knownActor("ada")).toBeUndefined();
});
