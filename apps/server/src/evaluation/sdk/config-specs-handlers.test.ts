import { describe, expect, test } from "vitest";
import { isHeld } from "./config-specs-handlers.ts";

const view = { time: 100, checksum: "now" };

describe("isHeld", () => {
  test("is true for the same checksum, and for a ruleset of the same time whose checksum is not told", () => {
    expect(isHeld({ checksum: "now" }, view)).toBe(true);
    expect(isHeld({ sinceTime: 50, checksum: "now" }, view)).toBe(true);
    expect(isHeld({ sinceTime: 100 }, view)).toBe(true);
  });

  test("is true for a later ruleset, which another replica answered: SDKs would not go back", () => {
    expect(isHeld({ sinceTime: 101 }, view)).toBe(true);
    expect(isHeld({ sinceTime: 101, checksum: "later" }, view)).toBe(true);
  });

  test("is false for an earlier one, for another content of the same time, and for none", () => {
    expect(isHeld({ sinceTime: 99 }, view)).toBe(false);
    expect(isHeld({ sinceTime: 100, checksum: "before" }, view)).toBe(false);
    expect(isHeld({ checksum: "before" }, view)).toBe(false);
    expect(isHeld({}, view)).toBe(false);
  });
});
