import { expect, it } from "vitest";
import { tokenIn } from "./tokenIn";

const TOKEN = "8kcJaXKG1rpdQjMd7AQvrsidf2CZVYHhEw-HHfm1jmc";

it("finds the token in what somebody copied from the server's output", () => {
  expect(tokenIn(`http://127.0.0.1:8000/set-up?token=${TOKEN}`)).toBe(TOKEN);
  expect(tokenIn(`Workbench: open http://127.0.0.1:8000/set-up?token=${TOKEN} to make the first admin`)).toBe(TOKEN);
  expect(tokenIn(` ${TOKEN} `)).toBe(TOKEN);
});

it("takes nothing else for one", () => {
  for (const text of ["", "ada", "http://127.0.0.1:8000/", "http://127.0.0.1:8000/set-up?token="])
    expect(tokenIn(text)).toBeNull();
});
