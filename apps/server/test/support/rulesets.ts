import { pino } from "pino";
import { createRulesets } from "../../src/evaluation/rulesets/rulesets.ts";
import type { TestServer } from "./server.ts";

/** The rulesets that another replica over a server's database keeps. They are to be closed before the server. */
export function replicaRulesets({ database, clock }: TestServer): ReturnType<typeof createRulesets> {
  return createRulesets({ database, log: pino({ level: "silent" }), now: () => clock.now });
}
