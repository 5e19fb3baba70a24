// The faults of a run. Each action begins a fault, holds it for a while, and ends it.
import { setTimeout as pause } from "node:timers/promises";
import { signalPostgres } from "./cluster.mjs";

/** How long a fault lasts. */
const HOLD_MS = 1_500;
/** A full disk must have an effect within this time, ms. */
const DISK_FULL_TIMEOUT_MS = 30_000;

/**
 * @returns {Record<string, (cluster, replica, account) => Promise<void>>} by title; `replica` is the one that is meant where it is not all
 */
export function actionsFor({ volume, clickhouse }) {
  return {
    "kill a replica and start it again": async (_, replica) => {
      await replica.kill();
      await replica.start();
    },
    "stop Postgres (fast) and start it": ({ postgres }) => restart(postgres, "fast"),
    "stop Postgres (immediate) and start it": ({ postgres }) => restart(postgres, "immediate"),
    "kill a replica while Postgres is stopped": async ({ postgres }, replica) => {
      await postgres.stop("fast");
      await replica.kill();
      const started = replica.start();
      // It may reject before it is awaited.
      started.catch(() => {});
      await pause(HOLD_MS);
      await postgres.start();
      await started;
    },
    "refuse connections to Postgres": async ({ replicas }) => {
      for (const { proxy } of replicas) await proxy.refuse();
      await pause(HOLD_MS);
      for (const { proxy } of replicas) await proxy.restore();
    },
    "cut a replica's connections, five times": async (_, { proxy }) => {
      for (let time = 0; time < 5; time++) {
        proxy.cut();
        await pause(HOLD_MS / 5);
      }
    },
    "drop a replica's packets, then its connections": async (_, { proxy }) => {
      proxy.swallow({ newOnes: false });
      await pause(HOLD_MS);
      proxy.cut();
      await proxy.restore();
    },
    "pause a replica": async (_, replica) => {
      replica.stop();
      await pause(HOLD_MS);
      replica.goOn();
    },
    ...(clickhouse && {
      "kill ClickHouse and start it again": async () => {
        await clickhouse.kill();
        await pause(HOLD_MS);
        await clickhouse.start();
      },
      "kill ClickHouse and a replica at once": async (_, replica) => {
        await Promise.all([clickhouse.kill(), replica.kill()]);
        // A start waits for it.
        const started = replica.start();
        started.catch(() => {});
        await pause(HOLD_MS);
        await clickhouse.start();
        await started;
      },
      "pause ClickHouse": async () => {
        clickhouse.stop();
        await pause(HOLD_MS);
        clickhouse.goOn();
      },
    }),
    ...(process.platform === "linux" && {
      "pause Postgres": async ({ postgres }) => {
        signalPostgres(postgres, "SIGSTOP");
        await pause(HOLD_MS);
        signalPostgres(postgres, "SIGCONT");
      },
    }),
    ...(volume && {
      "fill Postgres's disk": async ({ postgres }, _, account) => {
        const before = account.retries;
        volume.fill();
        // Existing files have some allocated space left.
        for (let waited = 0; account.retries === before && waited < DISK_FULL_TIMEOUT_MS; waited += 20) await pause(20);
        if (account.retries === before) account.failures.push(`The full disk was not felt within ${DISK_FULL_TIMEOUT_MS} ms.`);
        await pause(HOLD_MS);
        volume.empty();
        // Postgres exits if it cannot write its log, and a supervisor would restart it.
        if (await isDead(postgres)) await postgres.start();
      },
    }),
  };
}

async function restart(postgres, mode) {
  await postgres.stop(mode);
  await pause(HOLD_MS);
  await postgres.start();
}

async function isDead(postgres) {
  if (!postgres.isRunning()) return true;
  try {
    process.kill(postgres.pid(), 0);
    return false;
  } catch {
    return true;
  }
}
