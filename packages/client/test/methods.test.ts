import { routes } from "@gatehouse/contract/console";
import { routes as evaluationRoutes } from "@gatehouse/contract/evaluation";
import { describe, expect, test } from "vitest";
import { createConsoleClient, createEvaluationClient } from "../src/index.ts";
import { json, recorder } from "./recorder.ts";

const baseUrl = "http://gatehouse.test";
const apiKey = "console-0123456789abcdef";
const gate = { message: "Gate read successfully.", data: { id: "checkout", version: 3 } };

function createTestClient() {
  const { sent, fetch } = recorder(json(200, gate));
  return { sent, api: createConsoleClient({ baseUrl, apiKey, fetch }) };
}

describe("a client", () => {
  test("has raw, schedule and one method for each operation of the contract, except browser redirects, streams and files", () => {
    const { api } = createTestClient();
    const { startSingleSignOn, finishSingleSignOn, streamChanges, downloadReport, downloadUnitData, downloadUsage, ...answeringJSON } =
      routes;
    expect(Object.keys(api).sort()).toEqual([...Object.keys(answeringJSON), "raw", "schedule"].sort());
    const others = [startSingleSignOn, finishSingleSignOn, streamChanges, downloadReport, downloadUnitData, downloadUsage];
    expect(others.map(({ path }) => path)).toEqual([
      "/console/v1/session/oidc",
      "/console/v1/session/oidc/callback",
      "/console/v1/changes/stream",
      "/console/v1/reports/file",
      "/console/v1/unit_data/download",
      "/console/v1/project/usage_billing/report",
    ]);
  });

  test("of the evaluation API has one for each operation with JSON responses; streams and files need raw", () => {
    const api = createEvaluationClient({ baseUrl, apiKey });
    const { streamFlagChanges, getIDListFile, ...answeringJSON } = evaluationRoutes;
    expect(Object.keys(api).sort()).toEqual([...Object.keys(answeringJSON), "raw"].sort());
    const paths = [streamFlagChanges.path, getIDListFile.path];
    expect(paths).toEqual(["/ofrep/v1/stream", "/v1/id_lists/{name}/{fileID}"]);
  });

  test("reaches the same server through raw, with the key", async () => {
    const { sent, api } = createTestClient();
    const { data } = await api.raw.GET("/console/v1/gates/{id}", { params: { path: { id: "checkout" } } });
    expect(data).toEqual(gate);
    expect(sent).toMatchObject([{ url: "http://gatehouse.test/console/v1/gates/checkout", headers: { "service-api-key": apiKey } }]);
  });

  test("schedules a write with its time", async () => {
    const { sent, api } = createTestClient();
    await api.schedule.enableGate({ path: { id: "checkout" }, query: { applyAt: 1_763_800_000_000, reason: "Sale" } });
    const requests = [{ operationId: "enableGate" as const, path: { id: "checkout" } }];
    await api.schedule.batch({ requests, query: { applyAt: 1_763_800_000_000 } });
    expect(sent).toMatchObject([
      { method: "PUT", url: "http://gatehouse.test/console/v1/gates/checkout/enable?applyAt=1763800000000&reason=Sale" },
      { method: "POST", url: "http://gatehouse.test/console/v1/batch?applyAt=1763800000000", body: { requests } },
    ]);
  });

  test.each(["http://gatehouse.test/", "http://gatehouse.test//"])("accepts the base URL %s with its slash", async (url) => {
    const { sent, fetch } = recorder(json(200, gate));
    await createConsoleClient({ baseUrl: url, apiKey, fetch }).getGate({ path: { id: "checkout" } });
    expect(sent[0]?.url).toBe("http://gatehouse.test/console/v1/gates/checkout");
  });

  test("keeps the base URL's path", async () => {
    const { sent, fetch } = recorder(json(200, gate));
    await createConsoleClient({ baseUrl: "https://example.com/flags/", apiKey, fetch }).getGate({ path: { id: "checkout" } });
    expect(sent[0]?.url).toBe("https://example.com/flags/console/v1/gates/checkout");
  });

  test.each(["", "gatehouse", "localhost:4000", "127.0.0.1:4000", "ftp://example.com"])("is not created for the base URL %j", (url) => {
    const message = `baseUrl must be the server's http or https URL, such as http://127.0.0.1:4000, and is "${url}".`;
    expect(() => createConsoleClient({ baseUrl: url, apiKey })).toThrow(new TypeError(message));
    expect(() => createEvaluationClient({ baseUrl: url, apiKey })).toThrow(new TypeError(message));
  });
});
