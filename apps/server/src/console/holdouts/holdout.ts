import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { invalid, type Violation } from "../../common/errors.ts";
import { newID } from "../../common/identifier.ts";
import { namedEach, namedLabels, namedMetrics, namedOne } from "../common/named.ts";
import { checkPercentage } from "../common/percentage.ts";
import { created, modified } from "../common/stamp.ts";
import type { Reference } from "../reference.ts";

export type Holdout = Schema<"Holdout">;
type HoldoutCreate = WritableSchema<"HoldoutCreate">;
type HoldoutPatch = WritableSchema<"HoldoutPatch">;

const DEFAULTS = {
  description: "",
  idType: "userID",
  isEnabled: true,
  passPercentage: 0,
  gateIDs: [],
  experimentIDs: [],
  layerIDs: [],
  isGlobal: false,
  targetingGateID: null,
  monitoringMetrics: [],
  tags: [],
  targetApps: [],
  team: null,
  teamID: null,
} satisfies Partial<Holdout>;

/**
 * Creates a holdout. By default it is enabled, and holds no entities and no users.
 * @throws AppError invalid_request with every violation
 */
export function newHoldout(given: HoldoutCreate, context: Context): Holdout {
  return checked({ id: newID("holdout", given), ...DEFAULTS, ...created(context), ...given });
}

/** The holdout with the given fields changed. @throws AppError invalid_request with every violation */
export function changeHoldout(holdout: Holdout, given: HoldoutPatch, context: Context): Holdout {
  return checked({ ...holdout, ...given, ...modified(holdout, context) });
}

/** The holdout's references. */
export function namedByHoldout(holdout: Holdout): Reference[] {
  return [
    ...namedEach("gate", holdout.gateIDs, "gateIDs"),
    ...namedEach("experiment", holdout.experimentIDs, "experimentIDs"),
    ...namedEach("layer", holdout.layerIDs, "layerIDs"),
    ...namedOne("gate", holdout.targetingGateID, "targetingGateID"),
    ...namedMetrics(holdout.monitoringMetrics, "monitoringMetrics"),
    ...namedLabels(holdout),
  ];
}

function checked(holdout: Holdout): Holdout {
  const violations: Violation[] = [];
  checkPercentage(holdout.passPercentage, "passPercentage", violations);
  const own = holdout.targetingGateID === null ? -1 : holdout.gateIDs.indexOf(holdout.targetingGateID);
  if (own >= 0) violations.push({ property: `gateIDs[${own}]`, errorMessage: "must not be the targeting gate of the holdout" });
  if (violations.length > 0) throw invalid(violations);
  return holdout;
}
