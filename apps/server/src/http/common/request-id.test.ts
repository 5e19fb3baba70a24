import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { nameRequest } from "./request-id.ts";

const nameFrom = (headers: IncomingHttpHeaders) => nameRequest({ headers } as IncomingMessage);
const UUID = /^[0-9a-f-]{36}$/;
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

test("takes the request's id and trace from the caller", () => {
  const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;
  expect(nameFrom({ "x-request-id": "edge:1.7_a-b", traceparent })).toEqual({ requestID: "edge:1.7_a-b", traceID: TRACE });
  expect(nameFrom({ traceparent: `cc-${TRACE}-00f067aa0ba902b7-01-what-comes-later` })).toMatchObject({ traceID: TRACE });
});

test.each(["", "a b", "a\tb", "é", '"a"', "a, b", "a".repeat(101)])("creates an id instead of %j", (sent) => {
  expect(nameFrom({ "x-request-id": sent })).toEqual({ requestID: expect.stringMatching(UUID) });
});

test.each([
  `ff-${TRACE}-00f067aa0ba902b7-01`,
  `00-${TRACE}-00f067aa0ba902b7-01-more`,
  `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
  TRACE,
])("ignores the invalid traceparent %s", (traceparent) => {
  expect(nameFrom({ traceparent })).toEqual({ requestID: expect.stringMatching(UUID) });
});
