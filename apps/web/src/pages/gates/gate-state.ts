// A gate's effect in an environment, as far as its own fields tell.
import type { Schema } from "../../api.ts";
import type { Tone } from "../../ui/badge.tsx";

type Gate = Schema<"Gate">;

export const STATUS_TONES: Record<Gate["status"], Tone> = {
  "In Progress": "active",
  Launched: "good",
  Disabled: "off",
  Archived: "archived",
};

export const STATUS_NAMES: Record<Gate["status"], string> = {
  "In Progress": "In progress",
  Launched: "Launched",
  Disabled: "Disabled",
  Archived: "Archived",
};

export const STALE_REASONS: Record<Gate["typeReason"], string> = {
  NONE: "In use",
  STALE_PROBABLY_LAUNCHED: "On for everyone for a long time",
  STALE_PROBABLY_UNLAUNCHED: "Off for everyone for a long time",
  STALE_PROBABLY_FORGOTTEN: "Partly rolled out for a long time",
  STALE_NO_RULES: "Has no rules",
  STALE_PROBABLY_DEAD_CHECK: "Not checked in 30 days",
  STALE_EMPTY_CHECKS: "Checks had no value in 30 days",
  STALE_ALL_TRUE: "Every check passed in 30 days",
  STALE_ALL_FALSE: "Every check failed in 30 days",
};

/** `text` is the whole state. A narrow column may cut `rules` but never `rest`, the share of the other users. `share` is a percentage if one rule for everyone decides alone. */
export type EnvironmentState = { text: string; rules?: string; rest?: string; isOn: boolean; share?: number };

type Rule = Gate["rules"][number];

const isForEveryone = ({ conditions }: Rule) => conditions.every(({ type }) => type === "public");

/** The rules that count in an environment, in their order. */
function rulesIn(rules: readonly Rule[], environment: string): Rule[] {
  return rules.filter(
    ({ environments, isEnabled }) => isEnabled !== false && (!environments?.length || environments.includes(environment)),
  );
}

export function environmentState({ status, rules }: Pick<Gate, "status" | "rules">, environment: string): EnvironmentState {
  if (status === "Archived" || status === "Disabled") return { text: "Off", isOn: false };
  if (status === "Launched") return { text: "Everyone", isOn: true, share: 100 };
  const counting = rulesIn(rules, environment);
  const last = counting.findIndex(isForEveryone);
  const deciding = last < 0 ? counting : counting.slice(0, last + 1);
  const everyone = last < 0 ? undefined : deciding[last];
  const targeted = deciding.length - (everyone ? 1 : 0);
  const share = everyone?.passPercentage ?? 0;
  if (targeted === 0) return { text: share === 100 ? "Everyone" : share === 0 ? "No one" : `${share}%`, isOn: share > 0, share };
  const names = targeted === 1 ? (deciding[0]?.name ?? "") : `${targeted} rules`;
  if (share === 0) return { text: names, rules: names, isOn: true };
  const rest = `+ ${share}%`;
  return { text: `${names} ${rest}`, rules: names, rest, isOn: true };
}
