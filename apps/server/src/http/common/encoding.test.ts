import { describe, expect, test } from "vitest";
import { preferredEncoding } from "./encoding.ts";

describe("preferredEncoding", () => {
  test("is the encoding with the smallest results that the caller accepts", () => {
    expect(preferredEncoding("gzip, deflate, br")).toBe("br");
    expect(preferredEncoding("statsig-br, gzip, deflate, br")).toBe("br");
    expect(preferredEncoding("gzip,deflate")).toBe("gzip");
    expect(preferredEncoding("GZIP;q=0.8")).toBe("gzip");
    expect(preferredEncoding("br;q=0, gzip;q=0.1")).toBe("gzip");
    expect(preferredEncoding("*")).toBe("br");
    expect(preferredEncoding("*, br;q=0")).toBe("gzip");
  });

  test("is the one with the highest weight", () => {
    expect(preferredEncoding("br;q=0.5, gzip")).toBe("gzip");
    expect(preferredEncoding("gzip;q=0.8, identity")).toBe("identity");
  });

  test("is identity if the caller accepts no supported encoding", () => {
    for (const accepted of [
      undefined,
      "",
      ";",
      "identity",
      "statsig-br",
      "deflate",
      "br;q=abc",
      "gzip;q=0, br; q=0.0",
      "identity;q=0, *;q=0",
    ]) {
      expect(preferredEncoding(accepted)).toBe("identity");
    }
  });
});
