import { setImmediate } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { createSchemaChecker, type SchemaChecker, type SchemaCheckerOptions } from "./schema-checker.ts";

const TOO_SLOW = { fault: "takes too long to check. Simplify its patterns and references" };
const quick = JSON.stringify({ type: "string" });
const slow = JSON.stringify({ pattern: "^(a+)+$" });
const endless = [`${"a".repeat(60)}b`];

let checker: SchemaChecker;
afterEach(() => checker.close());

function start(options?: SchemaCheckerOptions): SchemaChecker {
  checker = createSchemaChecker(options);
  return checker;
}

/** The checks of one project. */
function starting(options?: SchemaCheckerOptions) {
  return start(options).check.bind(undefined, "a");
}

test("a schema that takes too long does not block the event loop, is terminated, and the next one is checked", async () => {
  const check = starting({ timeLimitMs: 500, queueTimeoutMs: 60_000 });
  let isChecking = true;
  const outcome = check(slow, endless).finally(() => {
    isChecking = false;
  });
  const next = check(quick, ["a", 1]);
  for (let turn = 0; turn < 100; turn += 1) await setImmediate();
  expect(isChecking).toBe(true);
  expect(await outcome).toEqual(TOO_SLOW);
  expect(await next).toEqual({ findings: [{ index: 1, pointer: "", message: "must be string" }] });
});

test("a check is rejected if its project has the queue full, and those of others follow the one that runs", async () => {
  const { check } = start({ timeLimitMs: 500, queueTimeoutMs: 60_000, maxQueued: { each: 2, all: 3 } });
  const ended: string[] = [];
  const checked = (project: string, name: string, schema = quick) => check(project, schema, endless).finally(() => ended.push(name));
  const all = [checked("a", "a1", slow), checked("a", "a2"), checked("a", "a3"), checked("b", "b1")];
  await expect(check("a", quick, ["a"])).rejects.toMatchObject({ code: "unavailable" });
  await expect(check("c", quick, ["a"])).rejects.toMatchObject({ code: "unavailable" });
  await Promise.all(all);
  expect(ended).toEqual(["a1", "a2", "b1", "a3"]);
});

test("a check is rejected if the queue is full", async () => {
  const check = starting({ timeLimitMs: 500, queueTimeoutMs: 60_000, maxQueued: { each: 1, all: 2 } });
  const [running, waiting] = [check(slow, endless), check(quick, ["a"])];
  await expect(check(quick, ["a"])).rejects.toMatchObject({ code: "unavailable" });
  expect(await Promise.all([running, waiting])).toEqual([TOO_SLOW, { findings: [] }]);
});

test("a schema that takes too much memory is terminated, and the next one is checked", async () => {
  const check = starting({ maxHeapMb: 40, timeLimitMs: 20_000 });
  const large = JSON.stringify({ enum: Array.from({ length: 1_000_000 }, (_, index) => ({ index })) });
  expect(await check(large, [1])).toEqual({ fault: "takes too much memory to check. Simplify its patterns and references" });
  expect(await check(quick, ["a"])).toEqual({ findings: [] });
});

test("the thread ends when it is idle, and starts again", async () => {
  const check = starting({ idleTimeoutMs: 0 });
  expect(await check(quick, ["a"])).toEqual({ findings: [] });
  await setImmediate();
  await setImmediate();
  expect(await check(quick, ["a"])).toEqual({ findings: [] });
});

test("queued checks are rejected when the server stops", async () => {
  const { check: checkFor, close } = start();
  const check = checkFor.bind(undefined, "a");
  const outcomes = Promise.allSettled([check(slow, endless), check(quick, ["a"])]);
  await close();
  expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await expect(check(quick, ["a"])).rejects.toMatchObject({ code: "unavailable" });
});
