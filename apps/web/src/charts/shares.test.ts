import { describe, expect, it } from "vitest";
import { REMAINDER_ID, shareParts } from "./shares.ts";

const share = (id: string, percent: number) => ({ id, label: id, percent });

describe("shareParts", () => {
  it("gives each share its part of the width, and the remainder what is left", () => {
    expect(shareParts([share("a", 50), share("b", 30)], { width: 200, remainder: "Not in the experiment" })).toEqual([
      { id: "a", label: "a", percent: 50, paint: 0, x: 0, width: 100 },
      { id: "b", label: "b", percent: 30, paint: 1, x: 100, width: 60 },
      { id: REMAINDER_ID, label: "Not in the experiment", percent: 20, paint: "free", x: 160, width: 40 },
    ]);
  });

  it("has no remainder of thirds", () => {
    const thirds = [33.33, 33.33, 33.34].map((percent, index) => share(String(index), percent));
    expect(shareParts(thirds, { width: 200, remainder: "Rest" })).toHaveLength(3);
  });

  it("stays within the bar while a draft's shares sum to more than 100", () => {
    const parts = shareParts([share("a", 100), share("b", 100)], { width: 200 });
    expect(parts.map(({ x, width }) => [x, width])).toEqual([
      [0, 100],
      [100, 100],
    ]);
  });
});
