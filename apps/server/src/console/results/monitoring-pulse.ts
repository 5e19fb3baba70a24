import type { operations } from "@gatehouse/contract/console";
import { FAIL, PASS } from "../../results/exposed.ts";
import type { Asked } from "../../results/pulse.ts";
import type { Subject } from "../../results/subject.ts";
import { loadedDay } from "./loaded-days.ts";

type Query = NonNullable<operations["getGatePulseResults"]["parameters"]["query"]>;

/** Percent. */
const USUAL_CONFIDENCE = 95;

/**
 * What a query asks for about a gate's rule, whose passing units are compared with the others, or about a holdout, where those that are not
 * held out are compared with those that are.
 * @param start when the units of the last load began to count, ms; undefined before anything is loaded
 * @param last when the results end, ms; undefined before anything is loaded
 * @throws AppError invalid_request if the day is not loaded
 */
export function askedOfMonitoring(type: Subject["type"], query: Query, start: number | undefined, last: number | undefined): Asked {
  const [controlID, testID] = type === "holdout" ? [PASS, FAIL] : [FAIL, PASS];
  return {
    ...{ controlID, testID, testIDs: [testID] },
    isCupedAsked: query.cuped ?? true,
    alpha: 1 - (query.confidence ?? USUAL_CONFIDENCE) / 100,
    corrections: {
      bonferroniPerVariant: false,
      bonferroniPerMetric: false,
      primaryWeight: 1,
      benjaminiHochbergPerVariant: false,
      benjaminiHochbergPerMetric: false,
      primaryOnly: false,
    },
    plannedEnd: undefined,
    isBayesian: false,
    day: loadedDay(query.date, start ?? 0, last),
    hasSeries: query.series ?? false,
  };
}
