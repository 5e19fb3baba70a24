// One server over the embedded database, whose data folder is on a volume that can be filled, and the faults of such a server.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openDatabase } from "@gatehouse/server/open-database";
import { mountSmallVolume } from "../scripts/small-volume.mjs";
import { createReplica } from "./cluster.mjs";
import { startModel } from "./evaluations.mjs";

const VOLUME_MB = 256;
/** The server refuses writes below this free space, MiB. */
const RESERVED_MB = 32;
const HOLD_MS = 1_500;
/** The error of a start if Postgres cannot open a database that was not closed. */
const REFUSED = "its disk is full. Free at least 64 MiB and start again.";
/** A full disk must have an effect within this time, ms. */
const DISK_FULL_TIMEOUT_MS = 30_000;

/** Starts the server. `close` ends it and removes its folder. */
export async function startEmbedded() {
  const volume = mountSmallVolume(VOLUME_MB);
  const own = mkdtempSync(join(tmpdir(), "gatehouse-embedded-"));
  const dataDir = join(volume?.path ?? own, "data");
  const model = await startModel();
  const replica = createReplica(1, { GATEHOUSE_DATA_DIR: dataDir, ...model.env });
  await replica.start();
  return {
    volume,
    model,
    replicas: [replica],
    actions: actionsFor(volume),
    isRecovered: async () => (await replica.probe("/readyz/console")) === 200,
    /** Runs the work with a function that queries the database, which only one process can open. */
    async withQueries(work) {
      await replica.end();
      const database = await openDatabase({ dataDir });
      try {
        return await database.withSession(({ query }) => work(query));
      } finally {
        await database.close();
        await replica.start();
      }
    },
    async close() {
      await replica.close();
      model.close();
      volume?.remove();
      rmSync(own, { recursive: true, force: true });
    },
  };
}

/** @returns {Record<string, (cluster, replica, account) => Promise<void>>} by title */
function actionsFor(volume) {
  return {
    "kill the server and start it again": async (_, replica) => {
      await replica.kill();
      await replica.start();
    },
    "pause the server": async (_, replica) => {
      replica.stop();
      await pause(HOLD_MS);
      replica.goOn();
    },
    ...(volume && {
      "fill the disk": async (_, __, account) => {
        volume.fill();
        await untilRefused(account);
        await pause(HOLD_MS);
        volume.empty();
      },
      "let writes fill the disk, and kill the server": async (_, replica, account) => {
        volume.fill(RESERVED_MB + 1);
        await untilRefused(account);
        await replica.kill();
        // With this space, it reads flags and refuses writes.
        await replica.start();
        await pause(HOLD_MS);
        volume.empty();
      },
      "fill the disk, and kill the server": async (_, replica, account) => {
        volume.fill();
        await untilRefused(account);
        await replica.kill();
        const message = await startOnFullDisk(replica);
        await pause(HOLD_MS);
        volume.empty();
        if (message !== undefined) await replica.start();
        if (!(message ?? REFUSED).includes(REFUSED)) account.failures.push(`The start on a full disk failed: ${message}`);
      },
      "fill the disk, and stop the server": async (_, replica, account) => {
        volume.fill();
        await untilRefused(account);
        await replica.end();
        volume.empty();
        await replica.start();
      },
    }),
  };
}

/** @returns the error if it cannot be opened, since the last segment of its write-ahead log has no room left */
function startOnFullDisk(replica) {
  return replica.start().then(
    () => undefined,
    (error) => error.message,
  );
}

async function untilRefused(account) {
  const before = account.retries;
  for (let waited = 0; account.retries === before && waited < DISK_FULL_TIMEOUT_MS; waited += 20) await pause(20);
  if (account.retries === before) account.failures.push(`The full disk was not felt within ${DISK_FULL_TIMEOUT_MS} ms.`);
}
