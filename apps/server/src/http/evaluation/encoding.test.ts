import { describe, expect, test } from "vitest";
import { preferredEncoding } from "./encoding.ts";

describe("preferredEncoding", () => {
  test("is the smallest that the caller takes", () => {
    expect(preferredEncoding("gzip, deflate, br")).toBe("br");
    expect(preferredEncoding("gzip,deflate")).toBe("gzip");
    expect(preferredEncoding("GZIP;q=0.8, identity")).toBe("gzip");
    expect(preferredEncoding("br;q=0, gzip;q=0.1")).toBe("gzip");
  });

  test("is none where the caller takes none that is known here", () => {
    for (const accepted of [undefined, "", "identity", "statsig-br", "deflate", "gzip;q=0, br; q=0.0"]) {
      expect(preferredEncoding(accepted)).toBe("identity");
    }
  });
});
