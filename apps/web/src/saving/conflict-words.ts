// Conflicting changes of two people, in words. Pure.
import { percentage } from "../charts/format.ts";
import { toText } from "../targeting/parts.ts";
import { conditionSentence, scheduleSentence } from "../targeting/sentences.ts";
import type { Condition, Rollout } from "../targeting/types.ts";
import { durationInWords } from "../ui/time-text.ts";

/** Fields of rules and groups, as the page names them. */
const LABELS: Readonly<Record<string, string>> = {
  conditions: "conditions",
  description: "description",
  environments: "environments",
  guardrailAlerts: "guardrail alerts",
  guardrailMetrics: "guardrail metrics",
  isEnabled: "on or off",
  name: "name",
  order: "order",
  passPercentage: "pass percentage",
  pendingAutomatedRollouts: "scheduled rollout",
  returnValueJson5: "value",
  requiredReview: "approval",
  rules: "rules",
  side: "result",
  size: "size",
  timeIntervalMs: "duration",
  values: "values",
  variants: "variants",
};

/** “Rule Staff: pass percentage”. @param part the name of the part, such as Rules */
export function conflictTitle(part: string, { item, field }: { item?: string; field?: string }): string {
  if (item === undefined) return field === undefined ? part : `${part}: ${LABELS[field] ?? field}`;
  return field === undefined ? `${part}: “${item}”` : `${part}: “${item}”, ${LABELS[field] ?? field}`;
}

/** A field of an item as a text. */
export function fieldValueText(field: string, value: unknown): string {
  if (value === undefined || value === null || value === "") return "None";
  if (field === "passPercentage" || field === "size") return percentage(value as number);
  if (field === "timeIntervalMs") return durationInWords(value as number);
  if (field === "conditions") return (value as Condition[]).map((one) => toText(conditionSentence(one))).join("\n") || "Everyone";
  if (field === "pendingAutomatedRollouts") {
    const steps = value as Rollout[];
    return toText(scheduleSentence({ pendingAutomatedRollouts: steps })) || "None";
  }
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join("\n") || "None";
  return typeof value === "string" || typeof value === "number" ? String(value) : JSON.stringify(value, undefined, 2);
}
