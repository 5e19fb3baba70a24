import { describe, expect, test } from "vitest";
import { EMPTY_ORIGIN as origin } from "../../../test/support/event-origin.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import { AppError } from "../../common/errors.ts";
import type { WaitingBatch } from "./event-batch.ts";
import type { Exposure } from "./exposure.ts";
import { createExposureBuffer, storedExposures } from "./exposure-buffer.ts";

const gate = (userID: string, value = true): Exposure => ({
  kind: "gate",
  name: "new_checkout",
  user: { userID, privateAttributes: { secret: "x" } },
  source: "ofrep",
  origin,
  evaluation: { value, ruleID: "r", secondaryExposures: [] },
});

function buffer() {
  const clock = { now: 1_763_700_000_000 };
  const kept: WaitingBatch[] = [];
  const database = { isAway: false, refuses: "" };
  const exposures = createExposureBuffer(
    async (batch: WaitingBatch) => {
      if (database.isAway) throw new AppError("unavailable", "away");
      if (database.refuses && batch.source === database.refuses) throw new Error("invalid input");
      kept.push(batch);
    },
    { now: () => clock.now, ...storedExposures(true) },
  );
  const events = () => kept.flatMap(({ rows }) => JSON.parse(`[${rows}]`));
  return { clock, kept, database, exposures, events };
}

describe("an exposure buffer", () => {
  test("stores exposures as SDKs log them", async () => {
    const { exposures, events } = buffer();
    exposures.expose("p", gate("a"));
    const secondaryExposures = [{ gate: "held", gateValue: "false" as const, ruleID: "held:5.00:1" }];
    const ids = { userID: "a", customIDs: { companyID: "acme" }, statsigEnvironment: { tier: "production" } };
    const user = { ...ids, email: "a@example.com", custom: { plan: "pro" }, privateAttributes: { secret: "x" } };
    exposures.expose("p", {
      kind: "config",
      name: "button",
      user,
      source: "ofrep",
      origin,
      evaluation: { ruleID: "blue", secondaryExposures },
    });
    const evaluation = { ruleID: "blue", allocatedExperiment: "button", secondaryExposures: [] };
    exposures.expose("p", { kind: "layer", name: "page", user, source: "ofrep", origin, evaluation });
    await exposures.close();
    const common = { t: 1_763_700_000_000, u: "a", v: "", b: expect.any(Number) };
    expect(events()).toEqual([
      {
        ...common,
        n: "statsig::gate_exposure",
        e: "",
        x: "new_checkout",
        r: "r",
        g: "true",
        h: [{ type: "gate", id: "new_checkout", rule: null, passed: true, unit: null }],
        m: { gate: "new_checkout", gateValue: "true", ruleID: "r" },
      },
      {
        ...common,
        n: "statsig::config_exposure",
        e: "production",
        x: "button",
        r: "blue",
        c: { companyID: "acme" },
        f: { email: "a@example.com", custom: { plan: "pro" } },
        y: secondaryExposures,
        h: [{ type: "gate", id: "held", rule: null, passed: false, unit: null }],
        m: { config: "button", ruleID: "blue" },
      },
      {
        ...common,
        n: "statsig::layer_exposure",
        e: "production",
        x: "button",
        r: "blue",
        c: { companyID: "acme" },
        f: { email: "a@example.com", custom: { plan: "pro" } },
        m: { config: "page", ruleID: "blue", allocatedExperiment: "button" },
      },
    ]);
  });

  test("stores the same exposure of a unit once a minute, and one with another value, rule, unit or project at once", async () => {
    const { clock, exposures, events } = buffer();
    const count = async (...given: [string, Exposure][]) => {
      const before = events().length;
      for (const [projectID, exposure] of given) exposures.expose(projectID, exposure);
      await exposures.close();
      return events().length - before;
    };
    expect(await count(["p", gate("a")], ["p", gate("a")])).toBe(1);
    expect(await count(["p", gate("a", false)], ["p", gate("b")], ["q", gate("a")])).toBe(3);
    clock.now += 59_999;
    expect(await count(["p", gate("a")])).toBe(0);
    clock.now += 1;
    expect(await count(["p", gate("a")], ["p", gate("a")])).toBe(1);
  });

  test("flushes a thousand at once, and fewer after a second", async () => {
    const { exposures, kept } = buffer();
    for (let index = 0; index < 1_000; index++) exposures.expose("p", gate(`user ${index}`));
    await waitFor(() => expect(kept.map(({ count }) => count)).toEqual([1_000]));
    exposures.expose("p", gate("the last"));
    await waitFor(() => expect(kept.map(({ count }) => count)).toEqual([1_000, 1]));
  });

  test("keeps exposures while the database is away, drops and counts those beyond its bound, and retries the same batches", async () => {
    const { exposures, kept, database } = buffer();
    database.isAway = true;
    for (let index = 0; index < 20_500; index++) exposures.expose("p", gate(`user ${index}`));
    expect(exposures.dropped()).toBe(500);
    await exposures.close();
    expect(kept).toEqual([]);
    database.isAway = false;
    await exposures.close();
    expect(kept.reduce((sum, { count }) => sum + count, 0)).toBe(20_000);
    exposures.expose("p", gate("there is room again"));
    expect(exposures.dropped()).toBe(500);
  });

  test("queues at most eight million characters, and accepts more once they are stored", async () => {
    const { exposures, kept } = buffer();
    const customIDs = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`attribute ${index}`, "x".repeat(900)]));
    const large = (id: number): Exposure => ({ ...gate(""), user: { userID: `user ${id}`, customIDs } });
    for (let id = 0; id < 20; id++) exposures.expose("p", large(id));
    expect(exposures.dropped()).toBeGreaterThan(10);
    const dropped = exposures.dropped();
    await exposures.close();
    expect(kept.reduce((sum, { rows }) => sum + rows.length, 0)).toBeLessThan(8.1 * 2 ** 20);
    for (let id = 20; id < 25; id++) exposures.expose("p", large(id));
    expect(exposures.dropped()).toBe(dropped);
    await exposures.close();
  });

  test("counts the fields of users to that bound", () => {
    const { exposures } = buffer();
    const custom = { bio: "x".repeat(4_000) };
    for (let id = 0; id < 2_200; id++) exposures.expose("p", { ...gate(""), user: { userID: `user ${id}`, custom } });
    expect(exposures.dropped()).toBeGreaterThan(100);
  });

  test("stores an exposure again in another environment, which may be that of the key", async () => {
    const { exposures, events } = buffer();
    exposures.expose("p", gate("a"));
    exposures.expose("p", { ...gate("a"), origin: { ...origin, defaultEnvironment: "Staging" } });
    exposures.expose("p", { ...gate("a"), user: { userID: "a", statsigEnvironment: { tier: "staging" } } });
    await exposures.close();
    expect(events().map(({ e }) => e)).toEqual(["", "staging"]);
  });

  test("drops and counts what the database rejects, so that it does not block the queue", async () => {
    const { exposures, database, events } = buffer();
    database.refuses = "broken";
    exposures.expose("p", { ...gate("a"), source: "broken" });
    exposures.expose("p", gate("b"));
    await exposures.close();
    exposures.expose("p", gate("c"));
    await exposures.close();
    expect([exposures.dropped(), events().map(({ u }) => u)]).toEqual([1, ["b", "c"]]);
  });
});
