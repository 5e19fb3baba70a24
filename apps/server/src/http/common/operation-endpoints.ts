import { type RequestHandler, Router } from "express";
import type { Instruments } from "../../common/instruments.ts";
import type { Database } from "../../store/database/database.ts";
import { endCompressed } from "./compress.ts";

/** The phase of a server. It is `serving` once it has a console key. */
export type Phase = "starting" | "serving" | "stopping";

type Options = {
  database: Database;
  instruments: Instruments;
  phase: () => Phase;
  /** Whether flags can be evaluated without the database. */
  canReadFlags: () => boolean;
};

/** The timeout of the readiness check, less than the one second that orchestrators allow a probe. */
const PING_TIMEOUT_MS = 750;

/** The endpoints for orchestrators and monitoring: liveness, readiness, metrics. */
export function operationEndpoints({ database, instruments: { registry }, phase, canReadFlags }: Options): Router {
  const isConnected = createPing(database);
  /** @param needsDatabase whether a server is not ready without its database, even if it can evaluate flags */
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
    endCompressed(response.type(registry.contentType), await registry.metrics());
  });
  return router;
}

/** Whether the database replies in time. Concurrent probes share one query. */
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
