import { describe, expect, it } from "vitest";
import { compact, counted, exact, percentage, share } from "./format.ts";

describe("compact", () => {
  it.each([
    [0, "0"],
    [0.5, "0.5"],
    [7, "7"],
    [999, "999"],
    [1_000, "1\u202fk"],
    [1_234, "1.23\u202fk"],
    [12_345, "12.3\u202fk"],
    [999_499, "999\u202fk"],
    [3_460_000, "3.46\u202fM"],
    [2_000_000_000, "2\u202fbn"],
    [-1_500, "−1.5\u202fk"],
  ])("writes %d as %s", (value, text) => expect(compact(value)).toBe(text));

  it("goes on to the next suffix where rounding reaches it", () => {
    expect(compact(999.7)).toBe("1\u202fk");
    expect(compact(999_950)).toBe("1\u202fM");
  });

  it("keeps all digits beyond the last suffix", () => expect(compact(12_300_000_000_000_000)).toBe("12,300\u202ftn"));
});

describe("exact", () => {
  it("separates thousands and keeps decimals", () => {
    expect(exact(1_234_567)).toBe("1,234,567");
    expect(exact(0.25)).toBe("0.25");
  });
});

describe("percentage", () => {
  it.each([
    [0, "0%"],
    [12.3456, "12.35%"],
    [50, "50%"],
    [100, "100%"],
    [99.99, "99.99%"],
  ])("writes %d as %s", (value, text) => expect(percentage(value)).toBe(text));

  it("never shows a share as nothing or all that is neither", () => {
    expect(percentage(0.001)).toBe("<0.01%");
    expect(percentage(99.999)).toBe(">99.99%");
  });
});

describe("share", () => {
  it("is a dash of an empty whole", () => expect(share(0, 0)).toBe("–"));
  it("is the percentage of the whole", () => expect(share(1, 3)).toBe("33.33%"));
});

describe("counted", () => {
  it("takes the noun in the number that fits", () => {
    expect(counted(1, "checks")).toBe("1 check");
    expect(counted(2_000, "checks")).toBe("2,000 checks");
    expect(counted(1, "entries")).toBe("1 entry");
    expect(counted(1, "people")).toBe("1 person");
  });
});
