import { afterAll, beforeAll, describe, test } from "vitest";
import { entitySlices } from "../../src/console/kinds.ts";
import { makeNamed } from "../support/fixtures.ts";
import { needs } from "../support/needs.ts";
import { operations } from "../support/operations.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { checkOperation } from "./checks/check-operation.ts";

// contract.test.ts checks every operation on Postgres. Elsewhere, only statements and transactions can differ.

/** How each slice creates and reads its entities, and a write of each other sort. */
const sampled = new Set<string | null>([
  ...entitySlices.flatMap(({ operations: { create, read } }) => [create, read]),
  ...["patchGate", "updateGate", "archiveGate", "deleteGate", "restoreGateVersion", "addGateOverrides", "addSegmentIDs"],
  ...["startExperiment", "startExperimentPulseLoad", "updateEnvironments", "inviteUsers", "createSession", "batch"],
]);

describe("without a direct connection to Postgres, a sample of operations answers as the contract says", needs.embeddedOrPooler, () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer();
    await makeNamed(server);
  });
  afterAll(() => server.close());

  test.each(operations.filter(({ operationId }) => sampled.has(operationId)))("$operationId", (operation) =>
    checkOperation(server, operation),
  );
});
