/** Types whose new entities get an ID that is derived from the name, unless the request has one. */
export type NamedType =
  | "alert"
  | "autotune"
  | "dashboard"
  | "dynamic_config"
  | "experiment"
  | "gate"
  | "holdout"
  | "layer"
  | "prompt"
  | "prompt_dataset"
  | "segment";

const MIN_LENGTH = 3;
const MAX_LENGTH = 100;

/** Names of these characters always have an ID, even a short one. */
const PLAIN = /^[a-zA-Z0-9_\-. ]*$/;

const REPLACED = /[^a-z0-9_-]+/g;
const WITH_PERIODS = /[^a-z0-9_\-.]+/g;
const OF_LAYERS = /[^a-z0-9]+/g;

/** Types whose IDs have other characters than letters, digits, underscores and hyphens. */
const OTHERS: Partial<Record<NamedType, RegExp>> = {
  alert: WITH_PERIODS,
  dashboard: WITH_PERIODS,
  dynamic_config: WITH_PERIODS,
  gate: WITH_PERIODS,
  layer: OF_LAYERS,
  prompt: WITH_PERIODS,
  prompt_dataset: WITH_PERIODS,
};

/** The ID of a new entity that the contract derives from its name. Undefined if too little of the name can be part of an ID. */
export function entityID(type: NamedType, name: string): string | undefined {
  if (type === "segment" && /^[a-zA-Z0-9_-]+$/.test(name)) return name;
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  const isInside = (run: string, at: number) => at > 0 && at + run.length < plain.length;
  const id = plain
    .replace(OTHERS[type] ?? REPLACED, (run: string, at: number) => (isInside(run, at) || /^[ _-]+$/.test(run) ? "_" : ""))
    .slice(0, MAX_LENGTH);
  return id.length >= MIN_LENGTH || PLAIN.test(name) ? id : undefined;
}
