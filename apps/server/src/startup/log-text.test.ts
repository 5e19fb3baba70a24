import { expect, test } from "vitest";
import { toLogText } from "./log-text.ts";

const time = new Date(2026, 0, 2, 14, 3, 7, 42).getTime();
const line = (fields: object) => JSON.stringify({ level: 30, time, pid: 1, hostname: "here", ...fields });
const plain = { hasColors: false };

test("a line has the time, the level, the message and the fields", () => {
  const request = { requestID: "a-1", method: "GET", path: "/livez", status: 200, ms: 0.4, msg: "request" };
  expect(toLogText(line(request), plain)).toBe("14:03:07.042 INFO  request requestID=a-1 method=GET path=/livez status=200 ms=0.4\n");
});

test("the stack of an error follows, indented", () => {
  const err = { type: "Error", message: "broken", stack: "Error: broken\n    at here" };
  expect(toLogText(line({ level: 50, err, msg: "A job failed." }), plain)).toBe(
    "14:03:07.042 ERROR A job failed.\n    Error: broken\n        at here\n",
  );
});

test("values of callers can't add lines, fields or control sequences", () => {
  const hostile = '/a b="c"\n14:03:07.042 INFO  forged\u001B[2J\u009B2J';
  const text = toLogText(line({ path: hostile, msg: `said\n${hostile}` }), plain);
  expect(text.split("\n")).toHaveLength(2);
  expect(text).not.toMatch(/[^\P{Cc}\n]/u);
  expect(text).toContain('path="/a b=\\"c\\"\\n14:03:07.042');
});

test("a terminal with colors gets the level in color and the fields in gray", () => {
  expect(toLogText(line({ level: 40, job: "loads", msg: "late" }), { hasColors: true })).toBe(
    "14:03:07.042 \u001B[33mWARN \u001B[0m late \u001B[90mjob=loads\u001B[0m\n",
  );
});
