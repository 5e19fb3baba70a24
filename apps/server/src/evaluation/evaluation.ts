import type { Logger } from "pino";
import type { Database } from "../store/database.ts";
import type { PathTokens } from "./evaluation-handlers.ts";
import { createEventIntake, type EventIntake } from "./events/event-intake.ts";
import { createFlagStreams, type FlagStreams } from "./ofrep/flag-streams.ts";
import { findKeyVersionsIn } from "./ofrep/stream-key-store.ts";
import { createPathTokens } from "./path-token.ts";
import type { Rulesets } from "./ruleset-view.ts";
import { createRulesets } from "./rulesets/rulesets.ts";

/** What the evaluation API works with, for as long as the server runs. There is one in a server. */
export type Evaluation = {
  rulesets: Rulesets;
  intake: EventIntake;
  flagStreams: FlagStreams;
  tokens: PathTokens;
  /** Ends what would not end by itself, so that the server can drain. */
  stop(): void;
  /** Keeps what is waiting. Nothing may use it afterwards. */
  close(): Promise<void>;
};

/** @param now the clock, ms since the epoch */
export function startEvaluation({ database, log, now }: { database: Database; log: Logger; now: () => number }): Evaluation {
  const rulesets = createRulesets({ database, log, now });
  const intake = createEventIntake({ database, now });
  const flagStreams = createFlagStreams({ rulesets, findKeyVersions: findKeyVersionsIn(database) });
  return {
    rulesets,
    intake,
    flagStreams,
    tokens: createPathTokens(database),
    stop: flagStreams.close,
    async close() {
      await intake.close();
      await rulesets.close();
    },
  };
}
