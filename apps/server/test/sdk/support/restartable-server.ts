import { join } from "node:path";
import { createConsoleClient } from "@gatehouse/client";
import { onPostgres } from "../../support/database.ts";
import { createEmptyPostgres } from "../../support/empty-database.ts";
import { closedPort } from "../../support/port.ts";
import { startReady, temporaryFolder } from "../../support/process.ts";
import { TEST_KEY } from "../../support/template-database.ts";

/** The built server in its own process, which can be restarted at the same address with its data. */
export async function startRestartable() {
  const folder = temporaryFolder();
  const port = await closedPort();
  const env = {
    PORT: String(port),
    GATEHOUSE_CONSOLE_KEY: TEST_KEY,
    LOG_LEVEL: "error",
    ...(onPostgres ? { DATABASE_URL: await createEmptyPostgres() } : { GATEHOUSE_DATA_DIR: join(folder.path, "data") }),
  };
  let running = await startReady(env);
  return {
    url: running.url,
    client: createConsoleClient({ baseUrl: running.url, apiKey: TEST_KEY }),
    async stop() {
      await running.stop();
    },
    async start() {
      running = await startReady(env);
    },
    async close() {
      await running.stop();
      folder.remove();
    },
  };
}
