import { expect, test } from "vitest";
import { usualWinner } from "./steps.ts";

const groups = ["control", "blue", "green"].map((id) => ({ id, name: id, size: 33, parameterValues: {} }));
const offered = (...alarmed: string[]) => usualWinner({ groups, controlGroupID: "control" }, new Set(alarmed));

test("the group offered to ship is the first test group without an open alert, and the control group if all have one", () => {
  expect([offered(), offered("blue"), offered("blue", "green")]).toEqual(["blue", "green", "control"]);
});
