import { type Change, listChange } from "./change.ts";
import { equal } from "./equal.ts";
import { jsonValue, type Part, subject, text, value } from "./parts.ts";
import { ruleChanges } from "./rule-changes.ts";
import type { RuleContext } from "./sentences.ts";
import type { DynamicConfig, Gate, Rule } from "./types.ts";

type Told = "rules" | "status";

/** A gate or dynamic config, stored or a draft, as far as its changes are described. */
export type Flag = Partial<Omit<Gate, Told>> &
  Partial<Omit<DynamicConfig, Told>> & { rules: readonly Rule[]; status?: Gate["status"] | DynamicConfig["status"] };

type Field = Exclude<keyof Gate | keyof DynamicConfig, "rules">;
/** `text`: shown as a diff. `names`: shown as what came and what went. */
type Shown = { label: string; as: "text" | "switch" | "value" | "names" | "json" };

/** Its text, in the field `…Json5`, is shown in its place. */
const BY_TEXT = null;
/** The server sets it. */
const BY_SERVER = null;

/** How the fields of a gate or dynamic config are described. */
const FIELDS = {
  isEnabled: { label: "Switched", as: "switch" },
  status: { label: "Status", as: "value" },
  name: { label: "Name", as: "value" },
  description: { label: "Description", as: "text" },
  defaultValue: BY_TEXT,
  defaultValueJson5: { label: "Default value", as: "text" },
  schema: BY_TEXT,
  schemaJson5: { label: "JSON Schema", as: "text" },
  tags: { label: "Tags", as: "names" },
  targetApps: { label: "Target apps", as: "names" },
  holdoutIDs: { label: "Holdouts", as: "names" },
  idType: { label: "Unit ID type", as: "value" },
  type: { label: "Type", as: "value" },
  typeReason: BY_SERVER,
  isTemplate: { label: "Template", as: "value" },
  team: { label: "Team name", as: "value" },
  teamID: { label: "Team", as: "value" },
  owner: { label: "Owner", as: "json" },
  releasePipelineID: { label: "Release pipeline", as: "value" },
  reviewSettings: { label: "Reviews", as: "json" },
  measureMetricLifts: { label: "Measures metric lifts", as: "value" },
  monitoringMetrics: { label: "Monitored metrics", as: "names" },
  creatorID: { label: "Creator's id", as: "value" },
  creatorName: { label: "Creator", as: "value" },
  creatorEmail: { label: "Creator's e-mail", as: "value" },
  id: BY_SERVER,
  checksPerHour: BY_SERVER,
  createdTime: BY_SERVER,
  version: BY_SERVER,
  lastModifiedTime: BY_SERVER,
  lastModifierID: BY_SERVER,
  lastModifierName: BY_SERVER,
  lastModifierEmail: BY_SERVER,
} satisfies Record<Field, Shown | null>;

/** The changes of a gate or dynamic config from one version to another: of its rules, then of its other fields. */
export function flagChanges(before: Flag, after: Flag, context: RuleContext = {}): Change[] {
  const idType = after.idType ?? before.idType;
  const rules = ruleChanges(before.rules, after.rules, { ...(idType !== undefined && { idType }), ...context });
  const others = (Object.keys(FIELDS) as Field[]).flatMap((field) => fieldChange(field, before, after));
  return [...rules, ...others];
}

function fieldChange(field: Field, before: Flag, after: Flag): Change[] {
  const shown: Shown | null = FIELDS[field];
  const [old, now]: [unknown, unknown] = [before[field] ?? null, after[field] ?? null];
  if (shown === null || equal(old, now) || (field === "status" && isImplied(before, after))) return [];
  const { label } = shown;
  const change = (parts: Part[]): Change[] => [{ kind: "changed", field, parts }];
  switch (shown.as) {
    case "switch":
      return change([text(`${label} ${now === true ? "on" : "off"}`)]);
    case "text":
      return [{ kind: "changed", field, parts: [subject(label), text("changed")], diff: { before: toText(old), after: toText(now) } }];
    case "names": {
      const difference = listChange(toNames(old), toNames(now), Number.POSITIVE_INFINITY);
      return change(difference.length === 0 ? [subject(label), text("in another order")] : [subject(label), text(":"), ...difference]);
    }
    case "value":
      return change([subject(label), text(":"), toValue(old), text("→"), toValue(now)]);
    case "json":
      return change([subject(label), text(":"), jsonValue(old), text("→"), jsonValue(now)]);
  }
}

/** Whether the status only follows from the switch. */
function isImplied(before: Flag, after: Flag): boolean {
  const follows = ({ status }: Flag) => status === "In Progress" || status === "Enabled" || status === "Disabled";
  return before.isEnabled !== after.isEnabled && follows(before) && follows(after);
}

function toText(given: unknown): string {
  return typeof given === "string" ? given : given === null ? "" : JSON.stringify(given, null, 2);
}

/** Names, or the names of objects. */
function toNames(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  return list.map((item: unknown) => (typeof item === "object" && item !== null && "name" in item ? String(item.name) : String(item)));
}

function toValue(given: unknown): Part {
  if (given === null || given === "") return text("none");
  if (typeof given === "boolean") return value(given ? "yes" : "no");
  return typeof given === "string" || typeof given === "number" ? value(given) : jsonValue(given);
}
