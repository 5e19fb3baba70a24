import { describe, expect, it } from "vitest";
import { bucketHolders, FREE_ID, rangesText } from "./buckets.ts";

const segment = (id: string, from: number, to: number) => ({ id, label: id.toUpperCase(), from, to });

describe("bucketHolders", () => {
  it("lists who holds which buckets, and what is free", () => {
    expect(bucketHolders([segment("b", 600, 700), segment("a", 0, 250)], 1_000)).toEqual({
      holders: [
        { id: "a", label: "A", paint: 0, number: 1, ranges: [{ from: 0, to: 250 }], count: 250 },
        { id: "b", label: "B", paint: 1, number: 2, ranges: [{ from: 600, to: 700 }], count: 100 },
      ],
      free: {
        id: FREE_ID,
        label: "Free",
        paint: "free",
        number: null,
        ranges: [
          { from: 250, to: 600 },
          { from: 700, to: 1_000 },
        ],
        count: 650,
      },
    });
  });

  it("takes the ranges of one holder together, adjacent ones as one", () => {
    const { holders } = bucketHolders([segment("a", 0, 10), segment("b", 10, 20), segment("a", 20, 30), segment("a", 30, 40)], 100);
    expect(holders[0]).toMatchObject({
      id: "a",
      ranges: [
        { from: 0, to: 10 },
        { from: 20, to: 40 },
      ],
      count: 30,
    });
  });

  it("has no free buckets if all are held", () => {
    expect(bucketHolders([segment("a", 0, 100)], 100).free).toMatchObject({ ranges: [], count: 0 });
  });

  it("is all free without segments", () => {
    expect(bucketHolders([], 100)).toMatchObject({ holders: [], free: { ranges: [{ from: 0, to: 100 }], count: 100 } });
  });

  it("counts buckets that two hold as held once", () => {
    expect(bucketHolders([segment("a", 0, 60), segment("b", 50, 70)], 100).free.count).toBe(30);
  });

  it("leaves out an empty segment", () => expect(bucketHolders([segment("a", 5, 5)], 100).holders).toEqual([]));
});

describe("rangesText", () => {
  it("includes the last bucket", () => expect(rangesText([{ from: 0, to: 250 }])).toBe("0–249"));
  it("writes a single bucket alone", () => expect(rangesText([{ from: 7, to: 8 }])).toBe("7"));
  it("counts what is beyond four ranges", () => {
    expect(rangesText([0, 10, 20, 30, 40, 50].map((from) => ({ from, to: from + 2 })))).toBe("0–1, 10–11, 20–21, 30–31 and 2 more");
  });
});
