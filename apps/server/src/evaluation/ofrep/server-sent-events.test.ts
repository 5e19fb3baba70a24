import { expect, test } from "vitest";
import { connectedEvent, firstEvent, refetchEvent } from "./server-sent-events.ts";

const version = { time: 1_763_700_042_137, checksum: "Zt0a" };

test("the event of a change has its version, and its time in seconds", () => {
  expect(refetchEvent(version)).toBe(
    'id: 1763700042137.Zt0a\nevent: message\ndata: {"type":"refetchEvaluation","etag":"1763700042137.Zt0a","lastModified":1763700042}\n\n',
  );
});

test("the first event has the delay before reconnecting", () => {
  expect(firstEvent(connectedEvent(version))).toBe('retry: 2000\nid: 1763700042137.Zt0a\nevent: message\ndata: {"type":"connected"}\n\n');
});
