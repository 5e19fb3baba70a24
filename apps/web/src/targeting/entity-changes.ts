import type { Change } from "./change.ts";
import { switchChanges } from "./environment-switches.ts";
import { BY_SERVER, type FieldWords, fieldChanges, fieldContents } from "./field-changes.ts";
import type { KnownNames } from "./field-words.ts";
import { metricChanges, pauseChanges } from "./metric-changes.ts";
import { OWNER_WORDS } from "./owner-fields.ts";
import { releaseChanges } from "./release-changes.ts";
import { REVIEW_WORDS } from "./review-settings.ts";
import { ruleChanges } from "./rule-changes.ts";
import type { RuleContext } from "./sentences.ts";
import { TEAM_WORDS } from "./team-fields.ts";
import type { DynamicConfig, Gate, Rule } from "./types.ts";

type SeparatelyDescribed = "rules" | "status";

/** A gate or dynamic config, stored or a draft, as far as its changes are described. */
export type Flag = Partial<Omit<Gate, SeparatelyDescribed>> &
  Partial<Omit<DynamicConfig, SeparatelyDescribed>> & { rules: readonly Rule[]; status?: Gate["status"] | DynamicConfig["status"] };

type Field = Exclude<keyof Gate | keyof DynamicConfig, "rules">;
/** Shown as its text instead, from the field `…Json5`. */
const BY_TEXT = null;
/** Described by separate functions. */
const APART = null;

/** How the fields of a gate or dynamic config are described. */
const FIELDS = {
  isEnabled: { label: "Switched", as: "switch" },
  disabledEnvironments: APART,
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
  ...TEAM_WORDS,
  ...OWNER_WORDS,
  activeReview: BY_SERVER,
  activeRelease: APART,
  releasePipelineID: { label: "Release pipeline", as: "value" },
  ...REVIEW_WORDS,
  measureMetricLifts: { label: "Measures metric lifts", as: "value" },
  monitoringMetrics: APART,
  pausedBy: APART,
  creatorID: { label: "Creator's ID", as: "value" },
  creatorName: { label: "Creator", as: "value" },
  creatorEmail: { label: "Creator's email", as: "value" },
  id: BY_SERVER,
  checksPerHour: BY_SERVER,
  createdTime: BY_SERVER,
  version: BY_SERVER,
  lastModifiedTime: BY_SERVER,
  lastModifierID: BY_SERVER,
  lastModifierName: BY_SERVER,
  lastModifierEmail: BY_SERVER,
} satisfies Record<Field, FieldWords | null>;

const MONITORED = { field: "monitoringMetrics", label: "Monitoring metrics", hasRollouts: true };

/** The changes of a gate or dynamic config from one version to another: of its rules, then of its other fields. */
export function flagChanges(before: Flag, after: Flag, context: RuleContext = {}, names?: KnownNames): Change[] {
  const idType = after.idType ?? before.idType;
  const rules = ruleChanges(before.rules, after.rules, { ...(idType !== undefined && { idType }), ...context });
  const isShown = (field: string) => field !== "status" || !isImplied(before, after);
  const others = fieldChanges(FIELDS, before, after, names).filter(({ field }) => isShown(field));
  const metrics = metricChanges(MONITORED, before.monitoringMetrics ?? [], after.monitoringMetrics ?? []);
  const switches = switchChanges(before.disabledEnvironments, after.disabledEnvironments);
  return [
    ...rules,
    ...switches,
    ...others,
    ...metrics,
    ...pauseChanges(before.pausedBy, after.pausedBy),
    ...releaseChanges(before, after, names),
  ];
}

/** Fields of a new gate or dynamic config that its title and its creation say, or that follow from others. */
const SAID_BY_CREATION = { name: null, status: null, creatorID: null, creatorName: null, creatorEmail: null } as const;

/** What a new gate or dynamic config has: its rules, then its other fields. */
export function flagContents(flag: Partial<Flag>, context: RuleContext = {}, names?: KnownNames): Change[] {
  const { rules = [], idType, monitoringMetrics = [], disabledEnvironments = [] } = flag;
  return [
    ...ruleChanges([], rules, { ...(idType !== undefined && { idType }), ...context }),
    ...switchChanges([], disabledEnvironments),
    ...fieldContents({ ...FIELDS, ...SAID_BY_CREATION }, flag, names),
    ...metricChanges(MONITORED, [], monitoringMetrics),
    ...releaseChanges({ rules: [] }, { ...flag, rules }, names),
  ];
}

/** Whether the status only follows from the switch. */
function isImplied(before: Flag, after: Flag): boolean {
  const follows = ({ status }: Flag) => status === "In Progress" || status === "Enabled" || status === "Disabled";
  return before.isEnabled !== after.isEnabled && follows(before) && follows(after);
}
