import { pino } from "pino";
import { createRulesets } from "../../src/evaluation/rulesets/rulesets.ts";
import type { TestServer } from "./server.ts";

/** The rulesets of another replica on a server's database. Close them before the server. */
export function replicaRulesets({ database, clock }: TestServer): ReturnType<typeof createRulesets> {
  return createRulesets({ database, log: pino({ level: "silent" }), now: () => clock.now });
}
