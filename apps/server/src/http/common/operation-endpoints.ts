import { type RequestHandler, Router } from "express";
import type { Database } from "../../store/database.ts";
import type { Metrics } from "./metrics.ts";

/** What a server is doing. It serves once it has a key that can be used. */
export type Phase = "starting" | "serving" | "stopping";

type Options = {
  database: Database;
  metrics: Metrics;
  phase: () => Phase;
  /** Whether flags could be read without the database. */
  canReadFlags: () => boolean;
};

/** How long readiness waits for the database, ms: less than the second that orchestrators give a probe. */
const PING_TIMEOUT_MS = 750;

/** What an orchestrator and a monitor ask: alive, ready, metrics. */
export function operationEndpoints({ database, metrics, phase, canReadFlags }: Options): Router {
  const isConnected = createPing(database);
  /** @param needsDatabase whether a server without its database is not ready, also where it can read flags */
  const ready =
    (needsDatabase: boolean): RequestHandler =>
    async (_request, response) => {
      response.type("text");
      if (phase() !== "serving") return void response.status(503).send(phase() === "starting" ? "starting\n" : "shutting down\n");
      const isAway = !(await isConnected());
      const isReady = !isAway || (!needsDatabase && canReadFlags());
      const lines = [isReady ? "ready" : "not ready", `database: ${isAway ? "away" : "connected"}`, ""];
      response.status(isReady ? 200 : 503).send(lines.join("\n"));
    };
  const router = Router();
  router.get("/livez", (_request, response) => void response.type("text").send("ok\n"));
  router.get("/readyz", ready(false));
  router.get("/readyz/console", ready(true));
  router.get("/metrics", async (_request, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return router;
}

/** Whether the database answers in time. Concurrent probes share one query. */
function createPing(database: Database): () => Promise<boolean> {
  let pinging: Promise<boolean> | undefined;
  return () => {
    // A query that timed out may never finish, so the next probe uses another connection.
    pinging ??= answersInTime(database).finally(() => {
      pinging = undefined;
    });
    return pinging;
  };
}

async function answersInTime(database: Database): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, PING_TIMEOUT_MS, false);
  });
  const answered = database.ping().then(
    () => true,
    () => false,
  );
  return Promise.race([answered, timeout]).finally(() => clearTimeout(timer));
}
