import { describe, expect, test } from "vitest";
import { isChanged, knownChange, readVersion, versionText } from "./ruleset-version.ts";

test("a version is read from its text", () => {
  const version = { time: 1_763_700_042_137, checksum: "Zt0a.x" };
  expect(versionText(version)).toBe("1763700042137.Zt0a.x");
  expect(readVersion(versionText(version))).toEqual(version);
});

test.each([undefined, "", "Zt0a", "1763700042137", "1763700042137.", "x.Zt0a", "9999999999999999.Zt0a"])("%s is not a version", (text) => {
  expect(readVersion(text)).toBeUndefined();
});

describe("isChanged", () => {
  test("flags of another checksum have changed", () => {
    expect(isChanged({ time: 2, checksum: "b" }, { time: 1, checksum: "a" })).toBe(true);
    expect(isChanged({ time: 2, checksum: "b" }, { time: 2, checksum: "a" })).toBe(true);
  });

  test("flags with the same checksum have not changed, even at another time", () => {
    expect(isChanged({ time: 2, checksum: "a" }, { time: 1, checksum: "a" })).toBe(false);
  });

  test("an older view of a replica that is behind is not a change", () => {
    expect(isChanged({ time: 1, checksum: "a" }, { time: 2, checksum: "b" })).toBe(false);
  });
});

describe("knownChange", () => {
  test("the etag has milliseconds, and takes precedence over lastModified", () => {
    expect(knownChange({ flagConfigEtag: "1763700042137.Zt0a", flagConfigLastModified: "1763700042" })).toBe(1_763_700_042_137);
  });

  test("lastModified is in seconds or in ISO 8601", () => {
    expect(knownChange({ flagConfigLastModified: "1763700042" })).toBe(1_763_700_042_000);
    expect(knownChange({ flagConfigLastModified: "2025-11-21T04:40:42Z" })).toBe(1_763_700_042_000);
  });

  test("values that cannot be read are ignored", () => {
    expect(knownChange({ flagConfigEtag: "abc", flagConfigLastModified: "yesterday" })).toBe(0);
    expect(knownChange({})).toBe(0);
  });
});
