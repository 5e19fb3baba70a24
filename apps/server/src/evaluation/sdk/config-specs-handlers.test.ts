import { describe, expect, test } from "vitest";
import { isUpToDate } from "./config-specs-handlers.ts";

const view = { time: 100, checksum: "now" };

describe("isUpToDate", () => {
  test("is true for the same checksum, and for the same time without a checksum", () => {
    expect(isUpToDate({ checksum: "now" }, view)).toBe(true);
    expect(isUpToDate({ sinceTime: 50, checksum: "now" }, view)).toBe(true);
    expect(isUpToDate({ sinceTime: 100 }, view)).toBe(true);
  });

  test("is false for an earlier ruleset, for a later one that the database has lost, for other content of the same time, and for none", () => {
    expect(isUpToDate({ sinceTime: 99 }, view)).toBe(false);
    expect(isUpToDate({ sinceTime: 101 }, view)).toBe(false);
    expect(isUpToDate({ sinceTime: 101, checksum: "lost" }, view)).toBe(false);
    expect(isUpToDate({ sinceTime: 100, checksum: "before" }, view)).toBe(false);
    expect(isUpToDate({ checksum: "before" }, view)).toBe(false);
    expect(isUpToDate({}, view)).toBe(false);
  });
});
