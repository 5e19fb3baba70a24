import type { Logger } from "pino";
import type { Previews } from "../console/previews.ts";
import type { Database } from "../store/database/database.ts";
import type { EvaluationEnv } from "./binding.ts";
import { createEventIntake, type IntakeOptions } from "./events/event-intake.ts";
import { createFlagStreams } from "./ofrep/flag-streams.ts";
import { findKeyVersionsIn } from "./ofrep/stream-key-store.ts";
import type { StreamLimits } from "./ofrep/stream-slots.ts";
import { createPreviews } from "./previews/previews.ts";
import { createRulesets } from "./rulesets/rulesets.ts";

/** The services of the evaluation API, and its parts that the console API shows, that live as long as the server. */
export type EvaluationServices = Pick<EvaluationEnv, "rulesets" | "intake" | "flagStreams"> & {
  previews: Previews;
  /** Stores queued events. Call it after the last request. */
  close(): Promise<void>;
};

export type EvaluationOptions = {
  database: Database;
  log: Logger;
  /** The clock, ms since the epoch. */
  now: () => number;
  streams?: StreamLimits;
} & Pick<IntakeOptions, "keepsUserFields" | "maxWaiting">;

export function startEvaluation({ database, log, now, streams, ...intakeOptions }: EvaluationOptions): EvaluationServices {
  const rulesets = createRulesets({ database, log, now });
  const intake = createEventIntake({ database, now, log, ...intakeOptions });
  const flagStreams = createFlagStreams({ rulesets, findKeyVersions: findKeyVersionsIn(database, now), ...streams });
  return {
    rulesets,
    intake,
    flagStreams,
    previews: createPreviews(rulesets, database),
    async close() {
      flagStreams.close();
      await Promise.all([rulesets.close(), intake.close()]);
    },
  };
}
