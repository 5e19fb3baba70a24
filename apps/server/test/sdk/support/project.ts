import { type ConsoleClient, createConsoleClient } from "@gatehouse/client";
import { bootstrap } from "../../../src/bootstrap.ts";
import type { TestServer } from "../../support/server.ts";

/** Another project on the server, which sees nothing of the others. */
export async function createProject({ url, database, clock }: TestServer, id: string): Promise<ConsoleClient> {
  const apiKey = `console-${id.padStart(16, "0")}`;
  await bootstrap(database, apiKey, clock.now, id);
  return createConsoleClient({ baseUrl: url, apiKey, retry: { attempts: 1 } });
}
