import { describe, expect, test } from "vitest";
import { breakTables, rowsOf } from "../support/faults.ts";
import { makeNamed } from "../support/fixtures.ts";
import { fill, neededQuery, operations, writes } from "../support/operations.ts";
import { prepare } from "../support/prepare.ts";
import { startServer } from "../support/server.ts";

/** For a loop over all operations on a busy machine, ms. */
const timeout = 600_000;

describe("every operation, with a fault in the database", () => {
  test.each(operations)("$operationId: declares 500 and 503", ({ statuses }) => {
    expect(statuses).toEqual(expect.arrayContaining(["500", "503"]));
  });

  test("500 hides the cause from the caller and logs it under the same request id", { timeout }, async () => {
    const broken = await startServer();
    await broken.send("GET", "/console/v1/gates");
    await makeNamed(broken);
    const prepared = [];
    for (const operation of operations) prepared.push({ ...operation, ...(await prepare(broken, operation)) });
    await breakTables(broken.database);
    for (const { operationId, send } of prepared) {
      const answer = await send();
      expect([operationId, answer.status, answer.body]).toEqual([
        operationId,
        500,
        {
          status: 500,
          code: "internal",
          message: "The request failed. The server's log has the cause under the X-Request-Id of this response.",
        },
      ]);
      const requestID = answer.headers.get("X-Request-Id") ?? "none";
      expect(broken.logged.find((line) => line.includes(requestID) && line.includes("does not exist"))).toBeDefined();
    }
    await broken.close();
  });

  test("500 if the change log cannot be written, and the whole write is rolled back", { timeout }, async () => {
    const broken = await startServer();
    await makeNamed(broken);
    const prepared = [];
    for (const operation of writes) prepared.push({ ...operation, ...(await prepare(broken, operation)) });
    await broken.database.prisma.$executeRaw`alter table change add constraint refused check (false) not valid`;
    const before = await rowsOf(broken.database);
    for (const { operationId, send } of prepared) {
      const answer = await send();
      expect([operationId, answer.status]).toEqual([operationId, 500]);
    }
    expect(await rowsOf(broken.database)).toEqual(before);
    await broken.close();
  });

  test("503 with Retry-After while the database is unreachable", { timeout }, async () => {
    const away = await startServer();
    // The key stays cached while the clock is stopped, so that the operation itself runs into the fault.
    await away.send("GET", "/console/v1/gates");
    await away.database.cutOff();
    for (const { operationId, method, path, parameters, example } of operations) {
      // For a key, any other project is 404.
      const url = fill(path, path.startsWith("/console/v1/projects/") ? { id: "default" } : {});
      const answer = await away.send(method, `${url}?${neededQuery({ parameters })}`, { body: example });
      expect([operationId, answer.status, answer.body.code, answer.headers.get("Retry-After")]).toEqual([
        operationId,
        503,
        "unavailable",
        "1",
      ]);
    }
    await away.close();
  });
});
