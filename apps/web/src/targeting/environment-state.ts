// The effect of a gate or dynamic config in an environment, as far as its own fields tell. Pure.
import { percentage } from "../charts/format.ts";
import { type DraftRule, isAudienceMissing } from "./rule-draft.ts";
import { activeRulesIn } from "./rule-environments.ts";
import { isForEveryone } from "./unreached-rules.ts";

/** `text` is the whole state. A narrow column is shorter: it may cut `rules` but never the percentages: `lead` before it, and `rest`, the share of the other users. */
export type EnvironmentState = { text: string; lead?: string; rules?: string; rest?: string; isOn: boolean };

/** A gate or dynamic config, stored or a draft. */
export type Switchable = {
  status: string;
  isEnabled: boolean;
  disabledEnvironments?: readonly string[];
  rules: readonly DraftRule[];
};

/** Whether it is off in an environment, regardless of its rules. */
export function isOffIn({ status, isEnabled, disabledEnvironments = [] }: Switchable, environment: string): boolean {
  return status === "Archived" || !isEnabled || disabledEnvironments.includes(environment);
}

/** @param nobody the text where every user fails, or gets the default value */
export function environmentState(flag: Switchable, environment: string, nobody = "No one"): EnvironmentState {
  if (isOffIn(flag, environment)) return { text: "Off", isOn: false };
  if (flag.status === "Launched") return { text: "Everyone", isOn: true };
  // A new rule without an audience can't be saved, so it applies to no one yet.
  const counting = activeRulesIn(flag.rules, environment).filter((rule) => !isAudienceMissing(rule));
  const last = counting.findIndex(isForEveryone);
  const deciding = last < 0 ? counting : counting.slice(0, last + 1);
  const share = (last < 0 ? undefined : deciding[last])?.passPercentage ?? 0;
  const targeted = last < 0 ? deciding : deciding.slice(0, -1);
  const [first] = targeted;
  if (first === undefined) return { text: share === 100 ? "Everyone" : share === 0 ? nobody : percentage(share), isOn: share > 0 };
  const lead = shareOf(targeted.map(({ passPercentage }) => passPercentage));
  const parts = {
    ...(lead !== undefined && { lead }),
    rules: targeted.length === 1 ? first.name : `${targeted.length} rules`,
    ...(share > 0 && { rest: share === 100 ? "everyone else" : `${percentage(share)} of others` }),
  };
  const before = targeted.length === 1 ? (lead === undefined ? first.name : `${lead} ${first.name}`) : someUsers(targeted);
  return { text: parts.rest === undefined ? before : `${before}, ${parts.rest}`, ...parts, isOn: true };
}

/** Percentages of more rules are shown as a range. */
const MAX_LISTED = 4;

/** “Some users (2 rules: 10%, 100%)”. */
function someUsers(rules: readonly DraftRule[]): string {
  const shares = rules.map(({ passPercentage }) => passPercentage);
  const [low, high] = [Math.min(...shares), Math.max(...shares)];
  const count = `${rules.length} rules`;
  if (low === 100) return `Some users (${count})`;
  if (low === high) return `Some users (${count}: ${percentage(low)} each)`;
  const listed = rules.length <= MAX_LISTED ? shares.map(percentage).join(", ") : `${percentage(low)} to ${percentage(high)}`;
  return `Some users (${count}: ${listed})`;
}

/** The lowest and highest percentage of the rules, unless all of them are 100. */
function shareOf(percentages: readonly number[]): string | undefined {
  const low = Math.min(...percentages);
  const high = Math.max(...percentages);
  if (low === 100) return undefined;
  return low === high ? `${percentage(low)} of` : `${percentage(low).replace("%", "")}–${percentage(high)} of`;
}
