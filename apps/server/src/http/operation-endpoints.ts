import { Router } from "express";
import type { Database } from "../store/database.ts";
import type { Metrics } from "./metrics.ts";

/** How long readiness waits for the database, ms. */
const PING_TIMEOUT = 2_000;

/** What an orchestrator and a monitor ask: alive, ready, metrics. */
export function operationEndpoints(database: Database, metrics: Metrics, isDraining: () => boolean): Router {
  const router = Router();
  router.get("/livez", (_request, response) => void response.type("text").send("ok\n"));
  router.get("/readyz", async (_request, response) => {
    const isReady = !isDraining() && (await answers(database));
    response
      .status(isReady ? 200 : 503)
      .type("text")
      .send(isReady ? "ready\n" : isDraining() ? "shutting down\n" : "the database cannot be reached\n");
  });
  router.get("/metrics", async (_request, response) => {
    response.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
  return router;
}

async function answers(database: Database): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, PING_TIMEOUT, false);
  });
  const answered = database.ping().then(
    () => true,
    () => false,
  );
  return Promise.race([answered, timeout]).finally(() => clearTimeout(timer));
}
