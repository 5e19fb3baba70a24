import { expect, test } from "vitest";
import { randomUserCode, readUserCode, showUserCode } from "./user-code.ts";

test("a code reads as it is shown, and in lower case, without its hyphen, with spaces or with another dash", () => {
  const code = randomUserCode();
  expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
  const shown = showUserCode(code);
  expect(shown).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
  const typed = [shown, shown.toLowerCase(), code, ` ${shown.replace("-", " ")} `, shown.replace("-", "–"), [...code].join(" ")];
  expect(typed.map(readUserCode)).toEqual(typed.map(() => code));
});

test("text with other letters or another length is refused", () => {
  expect(["", "WDJB-MJH", "WDJB-MJHTK", "WDJB-MJHA", "WDJB-MJH1", "WDJB_MJHT"].map(readUserCode)).toEqual(Array(6).fill(undefined));
});
