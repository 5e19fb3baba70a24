import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DAYS, repeating } from "../support/repeating.ts";
import { reviewing, reviewOf } from "../support/reviewing.ts";
import { HOUR_MS, scheduling } from "../support/scheduling.ts";
import { conflicting, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const { isEnabled } = scheduling(() => server);
const { begin, nextNine, passTo } = repeating(() => server);
const reviews = reviewing(() => server);

beforeEach(async () => {
  await begin();
  await reviews.require(["production"]);
});
afterEach(() => reviews.require([]));

describe("an approved change that repeats", () => {
  const approved = async (id: string, body: object, more: { repeatUntil?: number } = {}) => {
    const reviewer = await reviews.colleague("Admin");
    const query = { applyAt: nextNine(), repeat: DAYS, ...more };
    const review = await reviewOf(server.client.schedule.patchGate({ path: { id }, body, query }));
    await reviewer.client.approveReview({ path: review });
    return review;
  };
  const listOf = async (id: string) =>
    (await server.client.listScheduledChanges({ query: { entityType: "gate", entityID: id } })).data.toReversed();

  test("is applied at every occurrence without another review", async () => {
    const id = await reviews.gate();
    const review = await approved(id, { isEnabled: true });
    expect(review.repeat).toEqual({ days: DAYS, time: "09:00", timeZone: "Europe/Berlin", until: null });
    await server.client.commitReview({ path: review });
    const client = await reviews.exempt();
    for (let day = 0; day < 2; day++) {
      await passTo(nextNine());
      expect(await isEnabled(id)).toBe(true);
      await client.disableGate({ path: { id } });
    }
    expect((await listOf(id)).map(({ status, reviewID }) => [status, reviewID])).toEqual([
      ...[
        ["APPLIED", review.id],
        ["APPLIED", review.id],
        ["SCHEDULED", review.id],
      ],
    ]);
  });

  test("begins at its next occurrence if it is committed after its first", async () => {
    const id = await reviews.gate();
    const review = await approved(id, { isEnabled: true });
    server.clock.now = nextNine() + HOUR_MS;
    await server.client.commitReview({ path: review });
    expect((await listOf(id)).map(({ status, applyAt }) => [status, applyAt])).toEqual([["SCHEDULED", nextNine()]]);
    expect(await isEnabled(id)).toBe(false);
  });

  test("is refused if it no longer repeats when it is committed", async () => {
    const id = await reviews.gate();
    const path = await approved(id, { isEnabled: true }, { repeatUntil: nextNine() });
    server.clock.now = nextNine() + HOUR_MS;
    const message = `Review ${path.id} is of a change that no longer repeats. Cancel it.`;
    expect(await refusal(server.client.commitReview({ path }))).toEqual(conflicting(message, "repeat"));
  });

  test("fails at an occurrence that would change something that nobody approved", async () => {
    const id = await reviews.gate();
    // The description changes for the first time in the second occurrence.
    const review = await approved(id, { isEnabled: true, description: "" });
    await server.client.commitReview({ path: review });
    await passTo(nextNine());
    const client = await reviews.exempt();
    await client.patchGate({ path: { id }, body: { isEnabled: false, description: "By someone else." } });
    await passTo(nextNine());
    const [, second] = await listOf(id);
    const message = `The change would modify description of the gate ${id} in a way that was not approved.`;
    expect([second?.status, second?.error]).toEqual(["FAILED", { code: "conflict", message }]);
    expect(await isEnabled(id)).toBe(false);
  });
});
