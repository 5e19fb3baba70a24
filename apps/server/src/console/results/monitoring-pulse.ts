import type { operations } from "@gatehouse/contract/console";
import type { TimeZone } from "../../common/time-zone.ts";
import type { Asked } from "../../results/pulse/pulse.ts";
import type { Subject } from "../../results/pulse/subject.ts";
import { FAIL, PASS } from "../../results/sql/exposed.ts";
import { loadedDay } from "./loaded-days.ts";

type Query = NonNullable<operations["getGatePulseResults"]["parameters"]["query"]>;

type Loaded = { start: number | undefined; last: number | undefined; timeZone: TimeZone };

/** Percent. */
const USUAL_CONFIDENCE = 95;

/**
 * The parameters of a query about a gate's rule (its passing units are compared with the others) or a holdout (units outside it are
 * compared with those in it).
 * @param loaded when the units of the last load began to count and its results end, ms; undefined before anything is loaded. Also the time
 * zone of the days
 * @throws AppError invalid_request if the day is not loaded
 */
export function askedOfMonitoring(type: Subject["type"], query: Query, { start, last, timeZone }: Loaded): Asked {
  const [controlID, testID] = type === "holdout" ? [PASS, FAIL] : [FAIL, PASS];
  return {
    ...{ controlID, testID, testIDs: [testID] },
    isCupedAsked: query.cuped ?? true,
    alpha: 1 - (query.confidence ?? USUAL_CONFIDENCE) / 100,
    corrections: {
      bonferroniPerVariant: false,
      bonferroniPerMetric: false,
      primaryWeight: 1,
      holmPerVariant: false,
      holmPerMetric: false,
      benjaminiHochbergPerVariant: false,
      benjaminiHochbergPerMetric: false,
      primaryOnly: false,
    },
    plannedEnd: undefined,
    chanceToBeatThreshold: undefined,
    day: loadedDay(query.date, start ?? 0, last, timeZone),
    timeZone,
    hasSeries: query.series ?? false,
  };
}
