import { expect } from "vitest";
import { fill, type SweptOperation } from "./operations.ts";
import { makeList } from "./segments.ts";
import type { TestServer } from "./server.ts";
import { waitFor } from "./wait-for.ts";

/** How to call an operation: its URL, and whether the URL alone authenticates the call. */
export type Call = { url: string; isOpenedByURL: boolean };

const gate = { name: "Staff", passPercentage: 100, conditions: [] };

/** Creates the entities that the examples of the evaluation API reference. @returns a function from an operation to its call */
export async function prepareEvaluation(server: TestServer): Promise<(operation: SweptOperation) => Call> {
  const { client } = server;
  await client.createGate({ body: { name: "new_checkout", isEnabled: true, rules: [gate] } });
  await client.createLayer({ body: { name: "checkout_page", idType: "userID", parameters: [] } });
  const list = await makeList(
    server,
    Array.from({ length: 1001 }, (_, index) => `user ${index}`),
  );
  const conditions = [{ type: "passes_segment" as const, targetValue: list }];
  await client.createGate({
    body: { name: "for_testers", isEnabled: true, rules: [{ name: "Testers", passPercentage: 100, conditions }] },
  });
  const file = await waitFor(async () => {
    const { body } = await server.send("POST", "/v1/get_id_lists");
    expect(body).toHaveProperty([list]);
    return new URL(body[list].url);
  });
  const flags = await server.send("POST", "/ofrep/v1/evaluate/flags", { body: { context: { targetingKey: "alice" } } });
  const opened: Record<string, string> = {
    getIDListFile: file.pathname + file.search,
    streamFlagChanges: flags.body.eventStreams[0].endpoint.requestUri,
  };
  return ({ operationId, path }) => {
    const url = opened[operationId] ?? fill(path, { key: "new_checkout", sdkKey: server.key });
    return { url, isOpenedByURL: operationId in opened };
  };
}

/** An operation's error body. OFREP has its own format. */
export function errorBody({ path }: SweptOperation, status: number, code: string, errorCode = "GENERAL") {
  return path.startsWith("/ofrep/") ? { errorCode } : { status, code };
}
