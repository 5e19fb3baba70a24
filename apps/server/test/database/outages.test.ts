import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mountSmallVolume } from "../../../../scripts/small-volume.mjs";
import { onPostgres } from "../support/database.ts";
import { needs } from "../support/needs.ts";
import { prepareOutage } from "../support/outage.ts";
import { hasPostgres, type OwnPostgres, startOwnPostgres } from "../support/own-postgres.ts";
import { waitFor } from "../support/wait-for.ts";

// Each outage happens to a real Postgres that the test starts. One server runs through all of them.

const volume = onPostgres && hasPostgres ? mountSmallVolume(64) : undefined;
afterAll(() => volume?.remove());

describe("a server whose database", needs.installedPostgres, () => {
  let own: OwnPostgres;
  let outage: Awaited<ReturnType<typeof prepareOutage>>;
  beforeAll(async () => {
    own = await startOwnPostgres({ volume });
    outage = await prepareOutage(own.server);
  }, 120_000);
  afterAll(async () => {
    outage.close();
    await own.close();
  });

  /** Each outage's start and end. */
  type Steps = [begin: (own: OwnPostgres) => Promise<unknown>, end: (own: OwnPostgres) => Promise<unknown>];

  const outages: Record<string, Steps> = {
    "refuses connections": [({ proxy }) => proxy.refuse(), ({ proxy }) => proxy.restore()],
    "is behind a network that lost its way": [async ({ proxy }) => proxy.swallow({ newOnes: false }), ({ proxy }) => proxy.restore()],
    "is stopped": [({ postgres }) => postgres.stop("fast"), ({ postgres }) => postgres.start()],
    "is stopped at once, without a word": [({ postgres }) => postgres.stop("immediate"), ({ postgres }) => postgres.start()],
    "has no connection left": [
      async ({ admin, endConnections }) => {
        await admin("alter role gatehouse connection limit 0");
        await endConnections();
      },
      ({ admin }) => admin("alter role gatehouse connection limit -1"),
    ],
    "does not let it in any more": [
      async ({ admin, endConnections }) => {
        await admin("alter role gatehouse nologin");
        await endConnections();
      },
      ({ admin }) => admin("alter role gatehouse login"),
    ],
  };

  test.each(Object.entries(outages))(
    "%s evaluates flags from memory, responds with 503 to other requests, and recovers afterwards",
    {
      timeout: 900_000,
    },
    async (_, [begin, end]) => {
      await outage.expectWorking();
      await begin(own);
      await outage.expectAway().finally(() => end(own));
      await outage.expectRecovery();
    },
  );

  test("is read-only, as after a failover, serves reads, rejects writes with 503, and recovers afterwards", {
    timeout: 900_000,
  }, async () => {
    await own.admin("alter database gatehouse set default_transaction_read_only = on");
    await own.endConnections();
    await outage.expectReadOnly(async () => {
      await waitFor(async () => expect((await own.server.send("GET", "/console/v1/gates")).status).toBe(200));
      return outage.change();
    });
    // New connections can write now. Open ones never will, like connections to a former primary.
    await own.admin("alter database gatehouse reset default_transaction_read_only");
    await outage.expectRecovery();
  });

  test("has a full disk serves reads, rejects writes with 503, and recovers afterwards", {
    ...needs.mount(volume !== undefined),
    timeout: 900_000,
  }, async () => {
    volume?.fill();
    let made = 0;
    const write = () => {
      made += 1;
      const targetValue = Array.from({ length: 1_000 }, () => crypto.randomUUID());
      const rules = [{ name: "listed", passPercentage: 100, conditions: [{ type: "user_id", operator: "any", targetValue }] }];
      return own.server.send("POST", "/console/v1/gates", { body: { name: `large ${made}`, rules } });
    };
    await outage.expectReadOnly(async () => {
      // Allocated pages still have free space.
      for (;;) {
        const answer = await write();
        if (answer.status !== 201 || made > 200) return answer;
      }
    });
    volume?.empty();
    await outage.expectRecovery();
  });
});
