import type { WritableSchema } from "@gatehouse/contract/console";
import type { Violation } from "../../common/errors.ts";

type Given = WritableSchema<"AutotunePatch">;

/** Refuses settings that need a model of contexts or a warehouse, since they would have no effect. */
export function checkSupported({ isContextual, featureList = [], metricSourceID = "" }: Given, violations: Violation[]): void {
  if (isContextual) {
    violations.push({
      property: "isContextual",
      errorMessage:
        "must be false: contextual autotunes are not supported, since the server trains no model that chooses by a unit's features",
    });
  }
  if (featureList.length > 0) {
    violations.push({
      property: "featureList",
      errorMessage: "must be empty: only contextual autotunes read features, and they are not supported",
    });
  }
  if (metricSourceID !== "") {
    violations.push({
      property: "metricSourceID",
      errorMessage: "must be empty: outcomes are read from the events that applications log, by successEvent, and from no metric source",
    });
  }
}
