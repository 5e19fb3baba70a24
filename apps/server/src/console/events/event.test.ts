import { describe, expect, test } from "vitest";
import { countByName, newEvents } from "./event.ts";

describe("newEvents", () => {
  test("what is absent or null is empty, and the time is that of arrival", () => {
    const bare = { timestamp: "1000", name: "seen", source: "http_api", value: "", userID: "", metadata: {} };
    const absent = { eventName: "seen" };
    const nulls = { eventName: "seen", user: null, value: null, metadata: null, time: null };
    expect(newEvents({ events: [absent, nulls] }, { now: 1000 })).toEqual([bare, bare]);
  });

  test("numbers become their text, and the SDK's kind the source", () => {
    const events = newEvents(
      { events: [{ eventName: "paid", user: { userID: 7 }, value: 0, time: 5 }], statsigMetadata: { sdkType: "statsig-node" } },
      { now: 1000 },
    );
    expect(events).toEqual([{ timestamp: "5", name: "paid", source: "statsig-node", value: "0", userID: "7", metadata: {} }]);
  });
});

describe("countByName", () => {
  test("counts each name once, with the earliest and the latest time", () => {
    const events = newEvents(
      {
        events: [
          { eventName: "a", time: 5 },
          { eventName: "b", time: 4 },
          { eventName: "a", time: 3 },
          { eventName: "a", time: 9 },
        ],
      },
      { now: 1000 },
    );
    expect(countByName(events)).toEqual([
      { name: "a", count: 3, firstTime: 3, lastTime: 9 },
      { name: "b", count: 1, firstTime: 4, lastTime: 4 },
    ]);
  });
});
