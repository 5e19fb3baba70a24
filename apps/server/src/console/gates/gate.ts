import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../context.ts";
import { conflict } from "../../errors.ts";
import { identifier } from "../common/identifier.ts";
import { toRules } from "../common/rule.ts";
import { created, modified } from "../common/stamp.ts";

export type Gate = Schema<"Gate">;
type GateCreate = WritableSchema<"GateCreate">;
type GatePatch = WritableSchema<"GatePatch">;

const DEFAULTS = {
  name: "",
  description: "",
  idType: "userID",
  type: "TEMPORARY",
  typeReason: "NONE",
  tags: [],
  targetApps: [],
  holdoutIDs: [],
  team: null,
  teamID: null,
  checksPerHour: 0,
  measureMetricLifts: true,
  monitoringMetrics: [],
  reviewSettings: { requiredReview: false, allowedReviewers: [] },
  releasePipelineID: null,
  isTemplate: false,
} satisfies Partial<Gate>;

/**
 * A gate made from as little as a name: enabled, without rules, so that it fails everyone.
 * @throws AppError invalid_request naming every violation under `rules`
 */
export function newGate(given: GateCreate, context: Context): Gate {
  const { id = identifier(given.name), isEnabled = true, rules = [] } = given;
  return {
    id,
    ...DEFAULTS,
    ...created(context),
    ...given,
    isEnabled,
    status: isEnabled ? "In Progress" : "Disabled",
    rules: toRules(rules),
  };
}

/**
 * The gate with the given fields changed.
 * @throws AppError conflict if it is archived; invalid_request naming every violation under `rules`
 */
export function changeGate(gate: Gate, given: GatePatch, context: Context): Gate {
  requireInUse(gate);
  const isEnabled = given.isEnabled ?? gate.isEnabled;
  return {
    ...gate,
    ...given,
    isEnabled,
    status: statusAfter(gate, isEnabled),
    rules: given.rules ? toRules(given.rules, gate.rules) : gate.rules,
    ...modified(gate, context),
  };
}

export function enableGate(gate: Gate, context: Context): Gate {
  requireInUse(gate);
  return { ...gate, isEnabled: true, status: "In Progress", ...modified(gate, context) };
}

export function disableGate(gate: Gate, context: Context): Gate {
  requireInUse(gate);
  return { ...gate, isEnabled: false, status: "Disabled", ...modified(gate, context) };
}

/** Everyone passes, whatever the rules say. */
export function launchGate(gate: Gate, context: Context): Gate {
  requireInUse(gate);
  return { ...gate, isEnabled: true, status: "Launched", ...modified(gate, context) };
}

/** Out of use; rules and settings are kept. */
export function archiveGate(gate: Gate, context: Context): Gate {
  return { ...gate, status: "Archived", ...modified(gate, context) };
}

/** Back in use: by its rules if it was enabled, disabled if it was not. A gate that is in use keeps its status. */
export function unarchiveGate(gate: Gate, context: Context): Gate {
  const status = gate.status === "Archived" ? (gate.isEnabled ? "In Progress" : "Disabled") : gate.status;
  return { ...gate, status, ...modified(gate, context) };
}

function statusAfter(gate: Gate, isEnabled: boolean): Gate["status"] {
  if (!isEnabled) return "Disabled";
  return gate.status === "Disabled" ? "In Progress" : gate.status;
}

function requireInUse(gate: Gate): void {
  if (gate.status === "Archived") throw conflict(`Gate ${gate.id} is archived. Unarchive it first.`);
}
