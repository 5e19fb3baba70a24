import { measuresUnits } from "../../console/gates/gate.ts";
import type { EventOrigin } from "./event-origin.ts";
import { plainName } from "./exposed-names.ts";
import { type Exposed, findExposed, hasRule, isMeasuredRule } from "./exposed-rules.ts";

/** A gate or holdout that decided for a user, by its name in rulesets. The value of a gate is `true` or `false`. */
export type GateExposure = { gate: string; gateValue: string; ruleID: string };

/** A check as it is counted. The names are short, since every check is queued. */
export type Check = {
  type: "gate" | "holdout";
  id: string;
  /** Null unless an evaluation can have the rule. */
  rule: string | null;
  /** Null if the application did not say. */
  passed: boolean | null;
  /** The unit that the rule let pass or fail. Null if such units are not kept. */
  unit: string | null;
};

/** The most secondary exposures of an event that are read. Others are ignored. */
const MAX_SECONDARY_EXPOSURES = 50;
/** The longest unit ID that is kept, in bytes. It is part of a primary key. */
const MAX_UNIT_ID_BYTES = 1024;

/** The units of an event's user. */
export type Units = { userID: string; customIDs: Readonly<Record<string, string>> | null };

/**
 * The gates and holdouts on which an exposure depended, by the list that SDKs send. Items of other shapes are ignored.
 * @param toName bounds texts
 */
export function readSecondaryExposures(given: unknown, origin: EventOrigin, toName: (value: unknown) => string): GateExposure[] {
  if (!Array.isArray(given)) return [];
  const exposures = new Map<string, GateExposure>();
  for (const item of given.slice(0, MAX_SECONDARY_EXPOSURES) as unknown[]) {
    if (typeof item !== "object" || item === null) continue;
    const { gate, gateValue, ruleID } = item as { [field: string]: unknown };
    if (typeof gate !== "string" || gate === "") continue;
    const name = plainName(origin, toName(gate));
    if (!exposures.has(name)) exposures.set(name, { gate: name, gateValue: toName(gateValue), ruleID: toName(ruleID) });
  }
  return [...exposures.values()];
}

/** The checks of an event, each gate or holdout once. @param exposures the event's own one, if any, and its secondary ones */
export function collectChecks(exposures: readonly GateExposure[], units: Units, { project }: EventOrigin): Check[] {
  const checks = new Map<string, Check>();
  for (const { gate, gateValue, ruleID } of exposures) {
    const exposed = findExposed(project, gate);
    const type = exposed?.type ?? "gate";
    const id = exposed?.entity.id ?? gate;
    const key = `${type} ${id}`;
    if (checks.has(key)) continue;
    const passed = gateValue === "true" ? true : gateValue === "false" ? false : null;
    const rule = exposed && hasRule(project, exposed, ruleID) ? ruleID : null;
    const isKept = exposed && passed !== null && isMeasuredRule(exposed, ruleID) && keepsUnits(exposed);
    checks.set(key, { type, id, rule, passed, unit: isKept ? findUnit(units, exposed.entity.idType) : null });
  }
  return [...checks.values()];
}

function keepsUnits(exposed: Exposed): boolean {
  return exposed.type === "holdout" || measuresUnits(exposed.entity);
}

/** The user's ID of a type, by the type's name as written or else in another case. */
function findUnit({ userID, customIDs }: Units, idType: string): string | null {
  const lower = idType.toLowerCase();
  // An id type may have the name of an inherited property.
  const own = Object.entries(customIDs ?? {});
  const given = own.find(([type]) => type === idType) ?? own.find(([type]) => type.toLowerCase() === lower);
  const unit = lower === "userid" ? userID : (given?.[1] ?? "");
  const size = Buffer.byteLength(unit);
  return size > 0 && size <= MAX_UNIT_ID_BYTES ? unit : null;
}
