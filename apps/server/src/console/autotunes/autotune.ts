import { isDeepStrictEqual } from "node:util";
import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { invalid, type Violation } from "../../common/errors.ts";
import { newID, randomID } from "../../common/identifier.ts";
import { namedLabels } from "../common/named.ts";
import { created, modified } from "../common/stamp.ts";
import type { Reference } from "../reference.ts";
import { checkSupported } from "./autotune-support.ts";
import { toVariants } from "./autotune-variants.ts";
import { toWindows } from "./autotune-windows.ts";

export type Autotune = Schema<"Autotune">;
export type AutotuneStatus = Schema<"AutotuneStatus">;
type AutotuneCreate = WritableSchema<"AutotuneCreate">;
type AutotunePatch = WritableSchema<"AutotunePatch">;

/** The fields that tell of a run, before the first start and after a reset. */
export const NOT_STARTED = {
  isStarted: false,
  startTime: null,
  winner: null,
  decisionTime: null,
  decisionReason: null,
  progress: null,
} satisfies Partial<Autotune>;

const DEFAULTS = {
  description: "",
  idType: "userID",
  successEventValue: "",
  metadataField: "",
  optimizationParameter: "occurrence",
  valueColumn: "",
  higherIsBetter: true,
  explorationWindowRate: 1,
  tags: [],
  targetApps: [],
  team: null,
  teamID: null,
} satisfies Partial<Autotune>;

/** Creates an autotune that is not started. @throws AppError invalid_request with every violation */
export function newAutotune({ id, ...given }: AutotuneCreate, context: Context): Autotune {
  const violations: Violation[] = [];
  checkSupported(given, violations);
  const autotune: Autotune = {
    id: newID("autotune", { id, name: given.name }, violations),
    ...DEFAULTS,
    ...created(context),
    ...storable(given),
    variants: toVariants(given.variants, [], violations),
    ...toWindows(given, undefined, violations),
    ...NOT_STARTED,
    salt: randomID(),
  };
  return valid(autotune, violations);
}

/** The autotune with the given fields changed. @throws AppError invalid_request with every violation */
export function changeAutotune(autotune: Autotune, given: AutotunePatch, context: Context): Autotune {
  const violations: Violation[] = [];
  checkSupported(given, violations);
  const changed: Autotune = {
    ...autotune,
    ...storable(given),
    variants: given.variants ? toVariants(given.variants, autotune.variants, violations) : autotune.variants,
    ...toWindows(given, autotune, violations),
    ...modified(autotune, context),
  };
  checkFixed(autotune, changed, violations);
  return valid(changed, violations);
}

/**
 * The settings of an earlier version. Whether it runs is not turned back.
 * @throws AppError invalid_request if it has started with other variants or another unit ID type
 */
export function restoreAutotune(autotune: Autotune, version: Autotune, context: Context): Autotune {
  const violations: Violation[] = [];
  const restored = { ...version, ...toRun(autotune), ...modified(autotune, context) };
  checkFixed(autotune, restored, violations);
  return valid(restored, violations);
}

/** A deleted autotune with the settings of a version. Its findings are gone, so it is not started. */
export function recreateAutotune(deleted: Autotune, version: Autotune, context: Context): Autotune {
  return { ...version, ...NOT_STARTED, salt: randomID(), ...modified(deleted, context) };
}

/** The autotune's references. */
export function namedByAutotune(autotune: Autotune): Reference[] {
  return namedLabels(autotune);
}

/** Whether units get variants and the winner is undecided. */
export function isRunning({ isStarted, winner }: Pick<Autotune, "isStarted" | "winner">): boolean {
  return isStarted && winner === null;
}

/** The state of an autotune, for filtering lists. */
export function statusOf({ isStarted, winner }: Pick<Autotune, "isStarted" | "winner">): AutotuneStatus {
  return !isStarted ? "setup" : winner === null ? "active" : "decision_made";
}

/** The fields of a request that are stored as they are given. Null removes the long-term exploration. */
function storable<Given extends AutotunePatch>({
  variants: _variants,
  explorationWindow: _explorationWindow,
  attributionWindow: _attributionWindow,
  attributionWindowUnit: _attributionWindowUnit,
  isContextual: _isContextual,
  featureList: _featureList,
  metricSourceID: _metricSourceID,
  ...given
}: Given) {
  return given;
}

function toRun({ isStarted, startTime, winner, decisionTime, decisionReason, progress, salt }: Autotune) {
  return { isStarted, startTime, winner, decisionTime, decisionReason, progress, salt };
}

/** Units that got a variant must not be compared under another one. */
function checkFixed(before: Autotune, after: Autotune, violations: Violation[]): void {
  if (!before.isStarted) return;
  for (const field of ["variants", "idType"] as const) {
    if (isDeepStrictEqual(before[field], after[field])) continue;
    violations.push({ property: field, errorMessage: "cannot change once the autotune has started. Reset it first" });
  }
}

function valid(autotune: Autotune, violations: Violation[]): Autotune {
  const { metadataField, successEventValue, valueColumn, optimizationParameter } = autotune;
  if (metadataField !== "" && successEventValue === "") {
    violations.push({ property: "metadataField", errorMessage: "needs successEventValue, the text that it is compared with" });
  }
  if (valueColumn !== "" && optimizationParameter !== "value") {
    violations.push({ property: "valueColumn", errorMessage: "needs the optimizationParameter value: occurrences have no number" });
  }
  if (violations.length > 0) throw invalid(violations);
  const { longtermExplorationAllocation, ...others } = autotune;
  return longtermExplorationAllocation === null ? others : autotune;
}
