import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeNamed } from "../support/fixtures.ts";
import { fill, neededQuery, operations } from "../support/operations.ts";
import { ORIGIN } from "../support/second-factors.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { NOWHERE } from "../support/smtp-server.ts";
import { checkOperation } from "./checks/check-operation.ts";

// Provokes the statuses that operations have in common; each operation's own tests provoke the others. At the end of a complete run,
// support/statuses-reporter.ts fails on each declared status that no test provoked.

describe("every operation answers as the contract says", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ publicUrl: ORIGIN, email: NOWHERE });
    await makeNamed(server);
  });
  afterAll(() => server.close());

  test.each(operations)("$operationId", async (operation) => {
    await checkOperation(server, operation);
  });
});

test("every operation answers 503 with Retry-After while the database is unreachable", { timeout: 900_000 }, async () => {
  const away = await startServer({ publicUrl: ORIGIN, email: NOWHERE });
  // The key stays cached while the clock is stopped, so that the operation itself runs into the fault.
  await away.send("GET", "/console/v1/gates");
  await away.database.cutOff();
  for (const { operationId, method, path, parameters, example } of operations) {
    // For a key, any other project is 404.
    const url = fill(path, path.startsWith("/console/v1/projects/") ? { id: "default" } : {});
    const { status, body, headers } = await away.send(method, `${url}?${neededQuery({ parameters })}`, { body: example });
    expect.soft([operationId, status, body.code, headers.get("Retry-After")]).toEqual([operationId, 503, "unavailable", "1"]);
  }
  await away.close();
});
