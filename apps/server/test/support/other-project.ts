import { bootstrap } from "../../src/startup/bootstrap.ts";
import type { TestServer } from "./server.ts";

/** Creates a second project. @returns a console key of it */
export async function makeOtherProject({ database, clock }: TestServer, id = "other"): Promise<string> {
  const key = await bootstrap(database, undefined, clock.now, id);
  if (key === undefined) throw new Error(`The project ${id} was expected to be new.`);
  return key;
}
