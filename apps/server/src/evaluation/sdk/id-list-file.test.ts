import { describe, expect, test } from "vitest";
import { idListPath, readRange } from "./id-list-file.ts";

describe("readRange", () => {
  test("reads from a byte to the end, or to another byte inclusively", () => {
    expect(readRange("bytes=0-", 20)).toEqual({ first: 0, end: 20 });
    expect(readRange("bytes=10-", 20)).toEqual({ first: 10, end: 20 });
    expect(readRange("bytes=10-14", 20)).toEqual({ first: 10, end: 15 });
    expect(readRange("bytes=10-99", 20)).toEqual({ first: 10, end: 20 });
  });

  test("is the whole file without a header, and for unsupported headers", () => {
    for (const header of [undefined, "", "bytes=-5", "bytes=0-1,3-4", "lines=0-", "bytes=x-"])
      expect(readRange(header, 20)).toBeUndefined();
  });

  test("returns a range that begins beyond the end", () => {
    expect(readRange("bytes=20-", 20)).toEqual({ first: 20, end: 20 });
    expect(readRange("bytes=30-40", 20)).toEqual({ first: 30, end: 20 });
  });
});

describe("idListPath", () => {
  test("encodes the name", () => {
    expect(idListPath("beta/testers é", "2-x")).toBe("/v1/id_lists/beta%2Ftesters%20%C3%A9/2-x");
  });
});
