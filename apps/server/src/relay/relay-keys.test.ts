import { afterEach, expect, test, vi } from "vitest";
import { hashSecret } from "../tokens/secret.ts";
import { createRelayKeys } from "./relay-keys.ts";
import type { Upstream } from "./upstream.ts";

const STREAM = "/ofrep/v1/stream";

afterEach(() => void vi.useRealTimers());

/** The keys of a relay whose origin has one key, with the secret "known". */
function start() {
  const clock = { now: 100 * 3_600_000 };
  const bodies: string[] = [];
  let isHanging = false;
  const key = { id: "key_a", version: 3, type: "CLIENT", scopes: [], environments: [], targetApps: [], allowedAddresses: [] };
  const answer = { ...key, expiresTime: null, isCovered: true };
  const post: Upstream["post"] = async (_path, body) => {
    if (isHanging) await new Promise(() => {});
    bodies.push(JSON.stringify(body));
    const { keys } = body as { keys: { hash?: string; id?: string }[] };
    const isKnown = (one: (typeof keys)[number]) =>
      one.hash === hashSecret("known") || one.hash === hashSecret("own") || one.id === "key_a";
    return JSON.stringify({ projectID: "default", time: 1, keys: keys.map((one) => (isKnown(one) ? answer : null)) });
  };
  const onKnown = vi.fn();
  const keys = createRelayKeys({
    ...{ secret: "own", now: () => clock.now, onForeign: () => {}, onTime: () => {}, onKnown },
    upstream: { post, refusal: () => undefined } as Partial<Upstream> as Upstream,
  });
  const hang = () => {
    isHanging = true;
  };
  return { keys, clock, bodies, onKnown, hang };
}

test("keys that are looked up again are noted once an hour, so that the times of their look-ups can be stored", async () => {
  const { keys, clock, onKnown } = start();
  const counts = [];
  for (const minutes of [0, 59, 1, 59, 1]) {
    clock.now += minutes * 60_000;
    await keys.authenticate("known", "127.0.0.1");
    counts.push(onKnown.mock.calls.length);
  }
  expect(counts).toEqual([1, 1, 2, 2, 3]);
});

test("tokens that the origin would not take are refused without a look-up, and many long ones do not exceed its limit of bodies", async () => {
  const { keys, bodies } = start();
  const open = (token: string, path: string) => keys.tokens.open(token, path, "127.0.0.1");
  const refused = { code: "unauthorized", message: "The token of this URL is required in the query." };
  for (const [token, path] of [
    ["", STREAM],
    ["default.key_a.x".padEnd(501, "x"), STREAM],
    ["default.key_a.\0", STREAM],
    ["default.key_a.x", "/".padEnd(2_001, "x")],
  ] as const) {
    await expect(open(token, path)).rejects.toMatchObject(refused);
  }
  expect(bodies).toEqual([]);
  const token = "default.key_a.".padEnd(500, "\u20ac");
  const path = "/".padEnd(2_000, "\u20ac");
  const opened = await Promise.allSettled(Array.from({ length: 900 }, (_, index) => open(token, `${path.slice(4)}${index}`)));
  expect(new Set(opened.map((one) => one.status === "rejected" && one.reason.message))).toEqual(new Set([refused.message]));
  expect(bodies.flatMap((body) => JSON.parse(body).keys.slice(1))).toHaveLength(900);
  expect(Math.max(...bodies.map((body) => Buffer.byteLength(body)))).toBeLessThan(2 ** 20);
});

test("a stream of a known key opens while the origin hangs, without waiting for its answer", async () => {
  const { keys, hang } = start();
  await keys.authenticate("known", "127.0.0.1");
  hang();
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const found = keys.findKeyVersions([{ projectID: "default", id: "key_a" }]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await found).toEqual([{ projectID: "default", id: "key_a", version: 3 }]);
});
