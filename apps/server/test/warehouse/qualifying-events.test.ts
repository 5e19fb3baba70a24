import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "../support/server.ts";

// Behavior specific to qualifying events. row-sources.test.ts and row-source-changes.test.ts cover the behavior that all kinds share.

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe("createQualifyingEvent", () => {
  test("400: the name whose path is the preview's", async () => {
    const body = { name: "preview", sql: "select 1", timestampColumn: "at", idTypeMapping: [] };
    expect((await refusal(server.client.createQualifyingEvent({ body }))).errors).toEqual([
      { property: "name", errorMessage: "cannot be preview, because that path previews a qualifying event" },
    ]);
  });
});
