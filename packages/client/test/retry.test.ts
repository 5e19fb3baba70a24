import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createConsoleClient, createEvaluationClient, type RetryOptions } from "../src/index.ts";
import { json, recorder } from "./recorder.ts";

const NOW = Date.UTC(2026, 0, 1);

beforeEach(() => {
  // Not setImmediate, with which Node reads bodies.
  vi.useFakeTimers({ now: NOW, toFake: ["setTimeout", "clearTimeout", "Date"] });
  // No jitter: delays have their full length.
  vi.spyOn(Math, "random").mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const done = json(200, { message: "Gate read successfully.", data: { id: "checkout" } });
const refusing = (status: number, code: string, message: string) => (retryAfter?: string) =>
  json(status, { status, code, message }, retryAfter === undefined ? {} : { "Retry-After": retryAfter });
const unavailable = refusing(503, "unavailable", "The database is away.");
const limited = refusing(429, "too_many_requests", "The limit of 5000 writes in 10 seconds is reached.");
const path = { id: "checkout" };

const baseUrl = "http://gatehouse.test";

/** Without a limit of time, whose timer would count among those of retries. */
function createTestClient(answers: Parameters<typeof recorder>, retry?: Partial<RetryOptions>) {
  const { sent, fetch } = recorder(...answers);
  const sentAt: number[] = [];
  const timed = (request: Request) => {
    sentAt.push(Date.now() - NOW);
    return fetch(request);
  };
  return {
    sent,
    sentAt,
    api: createConsoleClient({ baseUrl, apiKey: "console-key", fetch: timed, retry, timeoutMs: Number.POSITIVE_INFINITY }),
  };
}

/** The result of a call, with the fake clock advanced as far as it needs. */
async function outcome(call: Promise<unknown>): Promise<unknown> {
  let isEnded = false;
  const ended = call
    .catch((error: unknown) => error)
    .finally(() => {
      isEnded = true;
    });
  while (!isEnded) await vi.advanceTimersToNextTimerAsync();
  return ended;
}

describe("calls that are retried", () => {
  test.each([
    ["503", unavailable()],
    ["429", limited()],
    ["502 of a proxy", new Response("<html>Bad Gateway</html>", { status: 502 })],
    ["504 of a proxy", new Response("<html>Gateway Timeout</html>", { status: 504 })],
    ["a network error", new TypeError("fetch failed")],
  ])("after %s, with pauses that double", async (_, failure) => {
    const { api, sentAt } = createTestClient([failure, failure, failure, done]);
    expect(await outcome(api.getGate({ path }))).toMatchObject({ data: { id: "checkout" } });
    expect(sentAt).toEqual([0, 200, 600, 1400]);
  });

  test("send the same request each time, including the body", async () => {
    const { api, sent } = createTestClient([unavailable(), done]);
    await outcome(api.archiveGate({ path, body: { archiveReason: "over" }, ifMatch: '"3"' }));
    expect(sent).toHaveLength(2);
    expect(sent[0]).toMatchObject({ method: "PUT", headers: { "if-match": '"3"' }, body: { archiveReason: "over" } });
    expect(sent[1]).toEqual(sent[0]);
  });

  test("can have any method", async () => {
    const { api, sent } = createTestClient([unavailable()]);
    await outcome(api.getGate({ path }));
    await outcome(api.createGate({ body: { name: "x" } }));
    await outcome(api.patchGate({ path, body: {} }));
    await outcome(api.enableGate({ path }));
    await outcome(api.deleteGate({ path }));
    const four = (method: string) => Array<string>(4).fill(method);
    expect(sent.map(({ method }) => method)).toEqual(["GET", "POST", "PATCH", "PUT", "DELETE"].flatMap(four));
  });

  test.each([400, 401, 404, 409, 412, 422, 500])("are not those with status %i", async (status) => {
    const { api, sent } = createTestClient([json(status, { status, code: "internal", message: "No." })]);
    expect(await outcome(api.getGate({ path }))).toMatchObject({ status });
    expect(sent).toHaveLength(1);
  });

  test("end with the last response", async () => {
    const { api, sentAt } = createTestClient([unavailable()], { attempts: 3 });
    expect(await outcome(api.getGate({ path }))).toMatchObject({ status: 503, code: "unavailable" });
    expect(sentAt).toEqual([0, 200, 600]);
  });

  test("end with the last network error", async () => {
    const last = new TypeError("the last");
    const { api, sent } = createTestClient([new TypeError("the first"), last], { attempts: 2 });
    expect(await outcome(api.getGate({ path }))).toBe(last);
    expect(sent).toHaveLength(2);
  });

  test("do not exist with one attempt", async () => {
    const { api, sent } = createTestClient([unavailable()], { attempts: 1 });
    expect(await outcome(api.getGate({ path }))).toMatchObject({ status: 503 });
    expect(sent).toHaveLength(1);
  });

  test("take the default for an option that is undefined", async () => {
    const { api, sent } = createTestClient([unavailable()], { attempts: undefined, delayMs: undefined });
    await outcome(api.getGate({ path }));
    expect(sent).toHaveLength(4);
  });
});

describe("calls that ask a model", () => {
  const run = { path: { id: "summary" }, body: { prompts: [{ role: "user" as const, content: "Hello" }], model: "gpt-5-mini" } };

  test.each([
    ["503", unavailable()],
    ["504 of a proxy", new Response("<html>Gateway Timeout</html>", { status: 504 })],
    ["a network error", new TypeError("fetch failed")],
  ])("are not retried after %s, since the model may have answered", async (_, failure) => {
    const { api, sent } = createTestClient([failure]);
    expect(await outcome(api.runPrompt(run))).toBeInstanceOf(Error);
    expect(sent).toHaveLength(1);
  });

  test("are retried after 429, which the server answers before it asks", async () => {
    const { api, sent } = createTestClient([limited(), json(200, { message: "Prompt run successfully.", data: { output: "Hi" } })]);
    expect(await outcome(api.runPrompt(run))).toMatchObject({ data: { output: "Hi" } });
    expect(sent).toHaveLength(2);
  });
});

describe("the Idempotency-Key", () => {
  const idempotencyKeys = (sent: { headers: Record<string, string> }[]) => sent.map(({ headers }) => headers["idempotency-key"]);

  test("is the same on each attempt of a write, and another for the next write", async () => {
    const { api, sent } = createTestClient([new TypeError("fetch failed"), unavailable(), done, new TypeError("fetch failed"), done]);
    await outcome(api.createGate({ body: { name: "x" } }));
    await outcome(api.createGate({ body: { name: "x" } }));
    const [first, , , second] = idempotencyKeys(sent);
    expect(idempotencyKeys(sent)).toEqual([first, first, first, second, second]);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).not.toBe(first);
  });

  test("is on every write and on no read", async () => {
    const { api, sent } = createTestClient([done]);
    await api.getGate({ path });
    await api.createGate({ body: { name: "x" } });
    await api.patchGate({ path, body: {} });
    await api.enableGate({ path });
    await api.deleteGate({ path });
    const key = expect.any(String);
    expect(idempotencyKeys(sent)).toEqual([undefined, key, key, key, key]);
  });

  test("is the caller's if one is given", async () => {
    const { api, sent } = createTestClient([unavailable(), done]);
    await outcome(api.createGate({ body: { name: "x" }, idempotencyKey: "order-1" }));
    expect(idempotencyKeys(sent)).toEqual(["order-1", "order-1"]);
  });

  test("is not made with one attempt, but sent if given", async () => {
    const { api, sent } = createTestClient([done], { attempts: 1 });
    await api.createGate({ body: { name: "x" } });
    await api.createGate({ body: { name: "x" }, idempotencyKey: "order-1" });
    expect(idempotencyKeys(sent)).toEqual([undefined, "order-1"]);
  });

  test("is also on writes through raw", async () => {
    const { api, sent } = createTestClient([unavailable(), done]);
    const body = { name: "x" };
    await outcome(api.raw.POST("/console/v1/gates", { body }));
    await outcome(api.raw.POST("/console/v1/gates", { body, params: { header: { "Idempotency-Key": "order-1" } } }));
    const [made] = idempotencyKeys(sent);
    expect(made).toMatch(/^[0-9a-f]{32}$/);
    expect(idempotencyKeys(sent)).toEqual([made, made, "order-1"]);
  });

  test("is not sent to operations that do not take it, such as those of events, which are deduplicated otherwise", async () => {
    const { sent, fetch } = recorder(new TypeError("fetch failed"), done);
    const api = createEvaluationClient({ baseUrl: "http://gatehouse.test", apiKey: "client-key", fetch });
    await outcome(api.logEvent({ body: { events: [] } }));
    await outcome(api.raw.POST("/v1/check_gate", { body: { gateName: "checkout" } }));
    expect(idempotencyKeys(sent)).toEqual([undefined, undefined, undefined]);
  });
});

describe("the delay", () => {
  test("is shortened by jitter of up to half", async () => {
    const failing = (random: number) => () => {
      vi.mocked(Math.random).mockReturnValue(random);
      return unavailable();
    };
    const { api, sentAt } = createTestClient([failing(0), failing(0.5), done]);
    await outcome(api.getGate({ path }));
    expect(sentAt).toEqual([0, 100, 100 + 300]);
  });

  test("is at most maxDelayMs", async () => {
    const { api, sentAt } = createTestClient([unavailable()], { attempts: 5, maxDelayMs: 500 });
    await outcome(api.getGate({ path }));
    expect(sentAt).toEqual([0, 200, 600, 1100, 1600]);
  });

  test.each([
    ["seconds", "3", 3000],
    ["a date", new Date(NOW + 4000).toUTCString(), 4000],
    ["a date that is past", new Date(NOW - 4000).toUTCString(), 200],
    ["a word", "soon", 200],
    ["less than the back-off", "0", 200],
  ])("is at least a Retry-After of %s", async (_, retryAfter, delay) => {
    const { api, sentAt } = createTestClient([unavailable(retryAfter), done]);
    await outcome(api.getGate({ path }));
    expect(sentAt).toEqual([0, delay]);
  });

  test("lasts until the next window where the limit of writes is reached, and the write is the same", async () => {
    const { api, sent, sentAt } = createTestClient([
      limited("10"),
      limited("1"),
      json(201, { message: "Gate created successfully.", data: path }),
    ]);
    expect(await outcome(api.createGate({ body: { name: "Checkout" } }))).toMatchObject({ data: path });
    expect(sentAt).toEqual([0, 10_000, 11_000]);
    expect(new Set(sent.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  });

  test("is skipped if Retry-After exceeds maxDelayMs: the response is returned", async () => {
    const { api, sentAt } = createTestClient([unavailable("11"), done]);
    expect(await outcome(api.getGate({ path }))).toMatchObject({ status: 503 });
    expect(sentAt).toEqual([0]);
    const refused = createTestClient([limited("11"), done]);
    expect(await outcome(refused.api.deleteGate({ path }))).toMatchObject({ status: 429, code: "too_many_requests" });
    expect(refused.sentAt).toEqual([0]);
  });
});

describe("a limit of time", () => {
  const hanging = (request: Request) =>
    new Promise<Response>((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)));

  test("ends a call without a retry, by default after 60 s", async () => {
    const { fetch, sent } = recorder(hanging);
    expect(await outcome(createConsoleClient({ baseUrl, apiKey: "console-key", fetch }).getGate({ path }))).toMatchObject({
      name: "TimeoutError",
      message: "getGate took longer than 60000 ms.",
    });
    expect(Date.now() - NOW).toBe(60_000);
    expect([vi.getTimerCount(), sent.length]).toEqual([0, 1]);
  });

  test("covers the delays between attempts, and none is left when a call is over", async () => {
    const { fetch, sent } = recorder(unavailable("5"), done);
    const api = createConsoleClient({ baseUrl, apiKey: "console-key", fetch, timeoutMs: 4_000 });
    expect(await outcome(api.getGate({ path }))).toMatchObject({ name: "TimeoutError" });
    expect(Date.now() - NOW).toBe(4_000);
    expect(await api.getGate({ path })).toMatchObject({ data: { id: "checkout" } });
    expect([vi.getTimerCount(), sent.length]).toEqual([0, 2]);
  });
});

describe("a signal", () => {
  test("ends a delay and the call", async () => {
    const { api, sent } = createTestClient([unavailable("5"), done]);
    const controller = new AbortController();
    const call = api.getGate({ path, signal: controller.signal }).catch((error: unknown) => error);
    await vi.waitUntil(() => vi.getTimerCount() === 1);
    const reason = new Error("The user left.");
    controller.abort(reason);
    expect(await call).toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
    expect(sent).toHaveLength(1);
  });

  test("ends a call in flight without a retry", async () => {
    const hanging = (request: Request) =>
      new Promise<Response>((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)));
    const { api, sent } = createTestClient([hanging]);
    const controller = new AbortController();
    const call = api.getGate({ path, signal: controller.signal }).catch((error: unknown) => error);
    await vi.waitUntil(() => sent.length === 1);
    controller.abort();
    expect(await call).toMatchObject({ name: "AbortError" });
    expect(vi.getTimerCount()).toBe(0);
    expect(sent).toHaveLength(1);
  });

  test("that is already aborted prevents the first request", async () => {
    const { api, sent } = createTestClient([unavailable()]);
    expect(await outcome(api.getGate({ path, signal: AbortSignal.abort() }))).toMatchObject({ name: "AbortError" });
    expect(sent).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
