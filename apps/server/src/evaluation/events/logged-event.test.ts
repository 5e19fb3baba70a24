import { describe, expect, test } from "vitest";
import { eventContext } from "../../../test/support/event-origin.ts";
import { readEvent } from "./logged-event.ts";

const NOW = 1_763_700_000_000;
const CONTEXT = eventContext(NOW);
const bare = {
  name: "seen",
  time: NOW,
  eventID: null,
  userID: "",
  customIDs: null,
  metadata: "{}",
  value: "",
  environment: "",
  exposed: null,
  ruleID: null,
  gateValue: null,
  userFields: null,
  secondaryExposures: null,
  checks: null,
};

describe("readEvent", () => {
  test("absent and null fields are empty, and the time is that of arrival", () => {
    expect(readEvent({ eventName: "seen" }, CONTEXT)).toEqual(bare);
    const nulls = { eventName: "seen", eventID: null, user: null, value: null, metadata: null, time: null };
    expect(readEvent(nulls, CONTEXT)).toEqual(bare);
    expect(readEvent({ eventName: "seen", user: { userID: null, customIDs: null, statsigEnvironment: null } }, CONTEXT)).toEqual(bare);
  });

  test("numbers become their text, fractions of a millisecond are dropped, and metadata keeps its order", () => {
    const event = { eventName: "seen", user: { userID: 7 }, value: 0, time: 5.9, metadata: { b: 1, a: [null, "é"] } };
    expect(readEvent(event, CONTEXT)).toEqual({ ...bare, userID: "7", value: "0", time: 5, metadata: '{"b":1,"a":[null,"é"]}' });
  });

  test("stores the ids of other units sorted, the environment, and the fields that rules read, but no private attributes", () => {
    const user = {
      userID: "alice",
      email: "a@example.com",
      privateAttributes: { secret: "x" },
      customIDs: { orgID: 3, companyID: "acme", none: null, empty: "" },
      statsigEnvironment: { tier: "Production" },
    };
    expect(readEvent({ eventName: "seen", user }, CONTEXT)).toEqual({
      ...bare,
      userID: "alice",
      customIDs: '{"companyID":"acme","orgID":"3"}',
      environment: "production",
      userFields: '{"email":"a@example.com"}',
    });
    expect(readEvent({ eventName: "seen", user }, { ...CONTEXT, keepsUserFields: false })).toMatchObject({ userFields: null });
  });

  test("has the environment that the evaluation used: the user's tier, or else that of the key", () => {
    const environment = (user: unknown) => {
      const row = readEvent({ eventName: "seen", user }, { ...CONTEXT, defaultEnvironment: "Production" });
      return "reason" in row ? row : row.environment;
    };
    expect(environment({ statsigEnvironment: { tier: "Staging" } })).toBe("staging");
    for (const user of [
      undefined,
      null,
      {},
      { statsigEnvironment: null },
      { statsigEnvironment: {} },
      { statsigEnvironment: { tier: null } },
    ])
      expect(environment(user)).toBe("production");
    expect(environment({ statsigEnvironment: { tier: "" } })).toBe("");
  });

  test("reads the shown value and its rule from an exposure", () => {
    const read = (eventName: string, metadata: object) => {
      const row = readEvent({ eventName, metadata }, CONTEXT);
      return "reason" in row ? row : [row.exposed, row.ruleID, row.gateValue];
    };
    expect(read("statsig::gate_exposure", { gate: "g", gateValue: "true", ruleID: "r" })).toEqual(["g", "r", "true"]);
    expect(read("statsig::gate_exposure", { gate: "g" })).toEqual(["g", "", ""]);
    expect(read("statsig::config_exposure", { config: "c", ruleID: "blue" })).toEqual(["c", "blue", null]);
    expect(read("statsig::layer_exposure", { config: "layer", allocatedExperiment: "e", ruleID: "blue" })).toEqual(["e", "blue", null]);
    expect(read("statsig::layer_exposure", { config: "layer", allocatedExperiment: "", ruleID: "default" })).toEqual([
      null,
      "default",
      null,
    ]);
    expect(read("purchase", { gate: "g", ruleID: "r" })).toEqual([null, null, null]);
  });

  test("makes any value of an exposure a name that can be part of a key", () => {
    const metadata = { gate: "g".repeat(200), ruleID: { odd: true } };
    expect(readEvent({ eventName: "statsig::gate_exposure", metadata }, CONTEXT)).toMatchObject({
      exposed: "g".repeat(128),
      ruleID: "[object Object]",
    });
  });

  test("says what is wrong with an event that cannot be stored", () => {
    const reason = (event: unknown) => (readEvent(event, CONTEXT) as { reason: string }).reason;
    const storable = "metadata must have neither U+0000 nor half a surrogate pair, and no number larger than 1.8e308";
    expect(reason({ eventName: "x", metadata: { deep: [{ "a\0": 1 }] } })).toBe(storable);
    expect(reason({ eventName: "x", metadata: { text: "a\0" } })).toBe(storable);
    expect(reason({ eventName: "x", metadata: { deep: [{ text: "a\ud800" }] } })).toBe(storable);
    expect(reason({ eventName: "x", metadata: { "a\udc00": 1 } })).toBe(storable);
    expect(reason({ eventName: "x", metadata: JSON.parse('{"huge":1e999}') })).toBe(storable);
    expect(reason({ eventName: "x", value: JSON.parse("1e999") })).toBe("value must be string or number or null");
    expect(reason({ eventName: "x", user: { userID: "a\0" } })).toBe(
      "user.userID must not have the character U+0000 or unpaired surrogates",
    );
    expect(reason({ eventName: "x", metadata: { text: "x".repeat(2 ** 20) } })).toBe("metadata must not be larger than 1 MiB");
    expect(reason([])).toBe("an event must be object");
  });
});
