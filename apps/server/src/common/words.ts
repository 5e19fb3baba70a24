/** `metric_source` → `metric source`, `unit_id_type` → `unit ID type` */
export function words(type: string): string {
  return type.replaceAll("_", " ").replace(" id ", " ID ");
}

/** `metric_source` → `Metric source` */
export function title(type: string): string {
  return type.charAt(0).toUpperCase() + words(type).slice(1);
}

const AND = new Intl.ListFormat("en-US", { type: "conjunction" });
const OR = new Intl.ListFormat("en-US", { type: "disjunction" });

/** `staging`, `staging and production`, `canary, production, and staging` */
export function listed(names: readonly string[], conjunction: "and" | "or" = "and"): string {
  return (conjunction === "and" ? AND : OR).format(names);
}

/** Types with one entity per project. Its ID is the project's and says nothing to people. */
const SINGLE: Record<string, string> = {
  environment_set: "the environments",
  ingestion_schedule: "the ingestion schedule",
  model_endpoint: "the model endpoint",
  settings: "the project settings",
  warehouse: "the warehouse",
};

type Subject = { name: string; is: "is" | "are"; was: "was" | "were"; has: "has" | "have" };

const ONE = { is: "is", was: "was", has: "has" } as const;
const SEVERAL = { is: "are", was: "were", has: "have" } as const;

/** An entity as the subject of a sentence, with its verbs: `the gate new_checkout is`, `the environments are`. */
export function subjectOf({ entityType, entityID }: { entityType: string; entityID: string }): Subject {
  const single = SINGLE[entityType];
  return { name: single ?? `the ${words(entityType)} ${entityID}`, ...(single?.endsWith("s") ? SEVERAL : ONE) };
}

/** The text with its first letter in upper case. */
export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
