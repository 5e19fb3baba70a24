import { expect, test } from "vitest";
import { evaluationOperations, operations, type SweptOperation } from "../support/operations.ts";

// Statuses follow from an operation's input. support/statuses-reporter.ts checks at the end of a run that each declared status occurred.

const rules: [string, string[], (operation: SweptOperation) => boolean][] = [
  ["a body", ["413", "415"], ({ takesBody }) => takesBody],
  ["an Idempotency-Key", ["422"], ({ takesIdempotencyKey }) => takesIdempotencyKey],
  ["If-Match", ["412"], ({ takesIfMatch }) => takesIfMatch],
  ["If-None-Match", ["304"], ({ takesIfNoneMatch }) => takesIfNoneMatch],
];

test.each(rules)("operations that take %s declare %s, and no others do", (_, statuses, takes) => {
  // A batch returns the answers of the requests that it contains.
  const all = [...operations.filter(({ permission }) => permission !== "contained"), ...evaluationOperations];
  const ids = (some: SweptOperation[]) => some.map(({ operationId }) => operationId);
  const taking = ids(all.filter(takes));
  expect(taking).not.toEqual([]);
  for (const status of statuses) expect(ids(all.filter((one) => one.statuses.includes(status)))).toEqual(taking);
});

/** The operations that prove who someone is, or find something by a code, whose failures are limited. */
const ATTEMPTS = [
  ...["createSession", "changePassword", "confirmSession", "finishPasskeySignIn", "startPasskeySignIn", "redeemToken"],
  ...["requestPasswordReset", "startDeviceLogin", "redeemDeviceLogin", "findDeviceLogin"],
];

test("writes, attempts to sign in and everything that applications call declare 429, and no others do", () => {
  const limited = [...operations, ...evaluationOperations].filter(({ statuses }) => statuses.includes("429"));
  const isLimited = ({ isWrite, operationId }: SweptOperation) => isWrite || ATTEMPTS.includes(operationId);
  const expected = [...operations.filter(isLimited), ...evaluationOperations];
  expect(limited.map(({ operationId }) => operationId)).toEqual(expected.map(({ operationId }) => operationId));
});

test("writes take an Idempotency-Key, and no other operations do", () => {
  for (const { operationId, isWrite, takesIdempotencyKey } of [...operations, ...evaluationOperations]) {
    expect([operationId, takesIdempotencyKey]).toEqual([operationId, isWrite]);
  }
});

test("operations that take If-Match declare 409; of the others, only writes do, changes of one's own account, and a POST that applies drafts", () => {
  for (const { operationId, isWrite, readsByPost = false, takesIfMatch, statuses, permission } of [
    ...operations,
    ...evaluationOperations,
  ]) {
    const declares = statuses.includes("409");
    if (takesIfMatch) expect([operationId, declares]).toEqual([operationId, true]);
    else if (declares) expect([operationId, isWrite || readsByPost || permission === "session"]).toEqual([operationId, true]);
  }
});
