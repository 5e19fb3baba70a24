import { expect, test } from "vitest";
import { checksByHour } from "./checks-by-hour.ts";

test("the checks of an hour are those of all rules, passed and failed, and an hour without checks has 0", () => {
  const rules = [
    { points: [{ time: 10, passes: 2, fails: 1 }] },
    {
      points: [
        { time: 10, passes: 4, fails: 0 },
        { time: 30, passes: 0, fails: 5 },
      ],
    },
  ];
  expect(checksByHour(rules, [10, 20, 30])).toEqual([7, 0, 5]);
});
