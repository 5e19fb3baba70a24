import { expect, test } from "vitest";
import type { Schema } from "../../api.ts";
import { readUntilOthers } from "./read-on.ts";

const change = (seq: number, actorID = "me", requestID = `${seq}`) => ({ seq, actorID, requestID }) as Schema<"Change">;
/** The numbers before which pages are read, and of the changes that are returned. */
async function reads(pages: Schema<"Change">[][]) {
  const [first = [], ...others] = pages;
  const asked: number[] = [];
  const read = async (before: number) => {
    asked.push(before);
    return others.shift() ?? [];
  };
  const found = await readUntilOthers(first, read, { personID: "me", wanted: 2, pageSize: 2, maxPages: 4 });
  return { asked, found: found.map(({ seq }) => seq) };
}

test("pages are read until enough requests are by others, without the last one, which may go on", async () => {
  const pages = [
    [change(9), change(8, "ann")],
    [change(7, "ann", "of two gates"), change(6, "ann", "of two gates")],
    [change(5, "ben"), change(4)],
    [change(3), change(2)],
  ];
  expect(await reads(pages)).toEqual({ asked: [8, 6], found: [9, 8, 7, 6, 5] });
});

test("changes of a single request are all returned", async () => {
  const ofOne = (seq: number) => change(seq, "ann", "of many gates");
  const pages = [9, 7, 5, 3].map((seq) => [ofOne(seq), ofOne(seq - 1)]);
  expect((await reads(pages)).found).toEqual([9, 8, 7, 6, 5, 4, 3, 2]);
});

test("reading ends at a page that is not full, and at the fourth page", async () => {
  expect(await reads([[change(9), change(8)], [change(7)]])).toEqual({ asked: [8], found: [9, 8, 7] });
  const own = [9, 7, 5, 3, 1].map((seq) => [change(seq), change(seq - 1)]);
  expect((await reads(own)).asked).toEqual([8, 6, 4]);
});
