import { expect, it } from "vitest";
import { own } from "@/shared/own";
import { iconOf } from "../canvas/kinds";
import { typeOfSchema } from "./outputs";

const NAMES = ["constructor", "toString", "__proto__", "hasOwnProperty"];

it.each(NAMES)("holds nothing under %s unless somebody put it there", (name) => {
  expect(own({}, name)).toBeUndefined();
  expect(own(Object.fromEntries([[name, 1]]), name)).toBe(1);
});

it.each(NAMES)("takes %s for no kind of step and no type", (name) => {
  expect(iconOf(name)).toBe(iconOf("no such kind"));
  expect(typeOfSchema({ type: name })).toBe("any");
});
