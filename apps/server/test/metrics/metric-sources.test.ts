import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "../support/server.ts";

// Behavior specific to metric sources. row-sources.test.ts and row-source-changes.test.ts cover the behavior that all kinds share.

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe("createMetricSource", () => {
  test("400: the names whose paths are the list's and the preview's", async () => {
    const errors = async (name: string) =>
      (await refusal(server.client.createMetricSource({ body: { name, sql: "select 1", timestampColumn: "at", idTypeMapping: [] } })))
        .errors;
    expect(await errors("list")).toEqual([
      { property: "name", errorMessage: "cannot be list, because that path lists the metric sources" },
    ]);
    expect(await errors("preview")).toEqual([{ property: "name", errorMessage: "cannot be preview, because that path previews one" }]);
  });
});
