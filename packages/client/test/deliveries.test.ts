import { describe, expect, test } from "vitest";
import { createEvaluationClient, type RetryOptions } from "../src/index.ts";
import { json, recorder } from "./recorder.ts";

describe("a batch of events", () => {
  const logged = json(202, { success: true });
  const body = { events: [{ eventName: "purchase" }] };
  const createApi = (fetch: (request: Request) => Promise<Response>, retry?: Partial<RetryOptions>) =>
    createEvaluationClient({ baseUrl: "http://gatehouse.test", apiKey: "client-key", fetch, retry: { delayMs: 1, ...retry } });

  test("has the same id on all attempts, and each batch has another one", async () => {
    const { fetch, sent } = recorder(new TypeError("fetch failed"), logged);
    const api = createApi(fetch);
    await api.logEvent({ body });
    await api.logEvent({ body });
    const ids = sent.map((one) => (one.body as { deliveryID: string }).deliveryID);
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), ids[0], expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test("keeps the id that it was given, and has none without retries", async () => {
    const { fetch, sent } = recorder(logged);
    await createApi(fetch).logEvent({ body: { ...body, deliveryID: "mine" } });
    await createApi(fetch, { attempts: 1 }).logEvent({ body });
    expect(sent.map((one) => one.body)).toEqual([{ ...body, deliveryID: "mine" }, body]);
  });
});
