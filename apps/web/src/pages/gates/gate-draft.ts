// Edits of a gate that are not saved yet. Pure.
import type { BatchRequest, Schema, WritableSchema } from "../../api.ts";
import { type Choice, type Conflict, conflictsOf, merge } from "../../saving/merge.ts";
import { changesOf, type KnownEntity } from "../../targeting/changes.ts";
import { equal } from "../../targeting/equal.ts";
import { textOf } from "../../targeting/parts.ts";
import { type RulesDraft, toDraft, toRules } from "../../targeting/rule-draft.ts";
import { ruleSentence } from "../../targeting/sentences.ts";

type Gate = Schema<"Gate">;
type Overrides = Schema<"OverrideLists">;

/** The fields that the page edits apart from the rules. */
export const FIELDS = ["name", "description", "isEnabled", "type", "tags", "team", "measureMetricLifts"] as const;
export type Fields = Pick<Gate, (typeof FIELDS)[number]>;

/** What was read of the gate, with the ETags: a save is refused if somebody else saved since. */
export type Stored = { readonly gate: Gate; readonly etag: string; readonly overrides: Overrides; readonly overridesEtag: string };

export type GateDraft = {
  /** What the edits began from. */
  readonly stored: Stored;
  readonly fields: Fields;
  readonly rules: RulesDraft;
  readonly overrides: Overrides;
};

export function draftOf(stored: Stored): GateDraft {
  const { gate, overrides } = stored;
  return { stored, fields: fieldsOf(gate), rules: toDraft(gate.rules), overrides };
}

export const fieldsOf = (gate: Gate): Fields => Object.fromEntries(FIELDS.map((name) => [name, gate[name]])) as Fields;

export const setFields = (draft: GateDraft, fields: Partial<Fields>): GateDraft => ({ ...draft, fields: { ...draft.fields, ...fields } });

/** What a save would write of the gate: only fields that differ from what the edits began from. Undefined if none does. */
export function patchOf({ stored: { gate: base }, fields, rules }: GateDraft): WritableSchema<"GatePatch"> | undefined {
  const changed: WritableSchema<"GatePatch"> = Object.fromEntries(
    FIELDS.filter((name) => !equal(fields[name], base[name])).map((name) => [name, fields[name]]),
  );
  const given = toRules(rules);
  if (!equal(given, toRules(toDraft(base.rules)))) changed.rules = given;
  return Object.keys(changed).length === 0 ? undefined : changed;
}

/** The requests of a save, which are stored together. Each names the version that it was decided on. */
export function writeOf(draft: GateDraft): BatchRequest[] {
  const { gate, etag, overrides, overridesEtag } = draft.stored;
  const path = { id: gate.id };
  const patch = patchOf(draft);
  const { passingUserIDs, failingUserIDs, passingCustomIDs, failingCustomIDs, environmentOverrides } = draft.overrides;
  const lists = { passingUserIDs, failingUserIDs, passingCustomIDs, failingCustomIDs, environmentOverrides };
  return [
    ...(patch ? [{ operationId: "patchGate" as const, path, body: patch, ifMatch: etag }] : []),
    ...(equal(draft.overrides, overrides)
      ? []
      : [{ operationId: "updateGateOverrides" as const, path, body: lists, ifMatch: overridesEtag }]),
  ];
}

/** The gate as it would be, to show it. */
export function previewOf({ stored, fields, rules }: GateDraft): Gate {
  return { ...stored.gate, ...fields, rules: toRules(rules) as Gate["rules"] };
}

/** Both states of what a save writes, to put the difference into words. */
export function knownEntities(draft: GateDraft): KnownEntity[] {
  const { gate, overrides } = draft.stored;
  const { id, idType } = gate;
  return [
    { type: "gate", id, before: gate, after: previewOf(draft) },
    { type: "gate_overrides", id, idType, before: overrides, after: draft.overrides },
  ];
}

/** How many things differ, as the review lists them. */
export const countChanges = (draft: GateDraft): number =>
  writeOf(draft).length === 0 ? 0 : Math.max(1, knownEntities(draft).flatMap(changesOf).length);

/** What two people can change apart from each other. */
export type Parts = Fields & { rules: Gate["rules"]; overrides: Overrides };

export const PARTS: Record<keyof Parts, string> = {
  name: "Name",
  description: "Description",
  isEnabled: "Enabled",
  type: "Type",
  tags: "Tags",
  team: "Team",
  measureMetricLifts: "Measure lifts of metrics",
  rules: "Rules",
  overrides: "Overrides",
};

const partsOf = (gate: Gate, { version: _, ...overrides }: Overrides): Parts => ({
  ...fieldsOf(gate),
  rules: toRules(toDraft(gate.rules)) as Gate["rules"],
  overrides: overrides as Overrides,
});

const myParts = (draft: GateDraft): Parts => partsOf(previewOf(draft), draft.overrides);

const storedParts = ({ gate, overrides }: Stored): Parts => partsOf(gate, overrides);

/** What both the draft and somebody else changed since the draft began. */
export function conflictsIn(draft: GateDraft, current: Stored): Conflict<Parts>[] {
  return conflictsOf(storedParts(draft.stored), myParts(draft), storedParts(current));
}

/** The draft on top of what somebody else saved. */
export function mergedDraft(draft: GateDraft, current: Stored, choices: Partial<Record<keyof Parts, Choice>>): GateDraft {
  const { rules, overrides, ...fields } = merge(storedParts(draft.stored), myParts(draft), storedParts(current), choices);
  return { stored: current, fields, rules: toDraft(rules), overrides: { ...overrides, version: current.overrides.version } };
}

/** A value in words, to compare two. */
export function partText(part: keyof Parts, value: unknown, idType: string): string {
  if (part === "rules")
    return (
      (value as Gate["rules"]).map((rule, index) => `${index + 1}. ${rule.name}: ${textOf(ruleSentence(rule, { idType }))}`).join("\n") ||
      "No rules"
    );
  if (typeof value === "string") return value === "" ? "Empty" : value;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return JSON.stringify(value, undefined, 2);
}
