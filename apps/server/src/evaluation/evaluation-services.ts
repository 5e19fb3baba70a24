import type { Logger } from "pino";
import { createInstruments, type Instruments } from "../common/instruments.ts";
import type { Previews } from "../console/previews.ts";
import type { Database } from "../store/database/database.ts";
import { writing } from "../store/database/unit-of-work.ts";
import type { EvaluationEnv } from "./binding.ts";
import { createEventIntake, type EventIntake, type IntakeOptions } from "./events/event-intake.ts";
import { createFlagStreams } from "./ofrep/flag-streams.ts";
import { findKeyVersionsIn } from "./ofrep/stream-key-store.ts";
import type { StreamLimits } from "./ofrep/stream-slots.ts";
import { createPreviews } from "./previews/previews.ts";
import { createRulesets, type Rulesets } from "./rulesets/rulesets.ts";
import { storeSdkCounts } from "./sdk-reports/sdk-report-store.ts";
import { createSdkReports, type SdkReports } from "./sdk-reports/sdk-reports.ts";

/** The services of the evaluation API, and its parts that the console API shows, that live as long as the server. */
export type EvaluationServices = Pick<EvaluationEnv, "flagStreams"> & {
  rulesets: Rulesets;
  intake: EventIntake;
  previews: Previews;
  sdkReports: SdkReports;
  /** The measurements of the server. */
  instruments: Instruments;
  /** Stores queued events and counts. Call it after the last request. */
  close(): Promise<void>;
};

export type EvaluationOptions = {
  database: Database;
  log: Logger;
  /** The clock, ms since the epoch. */
  now: () => number;
  /** Created if not given. */
  instruments?: Instruments;
  streams?: StreamLimits;
} & Pick<IntakeOptions, "keepsUserFields" | "maxWaiting">;

export function startEvaluation({
  database,
  log,
  now,
  instruments = createInstruments(),
  streams,
  ...intakeOptions
}: EvaluationOptions): EvaluationServices {
  const rulesets = createRulesets({ database, log, now, onApplied: (delayMs) => instruments.rulesetDelays.observe(delayMs / 1_000) });
  const intake = createEventIntake({
    ...{ database, now, log },
    ...intakeOptions,
    onStored(events, delayMs) {
      instruments.events.inc(events);
      instruments.eventDelays.observe(delayMs / 1_000);
    },
  });
  const flagStreams = createFlagStreams({ rulesets, findKeyVersions: findKeyVersionsIn(database, now), ...streams });
  const sdkReports = createSdkReports({ store: (counts) => writing(database, (db) => storeSdkCounts(db, counts)), now, log });
  return {
    rulesets,
    intake,
    sdkReports,
    flagStreams,
    instruments,
    previews: createPreviews(rulesets, database),
    async close() {
      flagStreams.close();
      await Promise.all([rulesets.close(), intake.close(), sdkReports.flush()]);
    },
  };
}
