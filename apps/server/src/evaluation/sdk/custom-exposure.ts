import type { WritableSchema } from "@gatehouse/contract/evaluation";
import type { User } from "@gatehouse/evaluation";
import { invalid, type Violation } from "../../common/errors.ts";
import { timeError } from "../../common/time-range.ts";
import type { CompiledRuleset } from "../compile/compiled-ruleset.ts";
import { withoutPrivate } from "../user.ts";

type Batch = WritableSchema<"CustomExposureBatch">;
type CustomExposure = Batch["exposures"][number];
type Specs = Pick<CompiledRuleset, "gates" | "configs">;

/** The events that SDKs would log for these exposures. @throws AppError invalid_request with every violation */
export function exposureEvents({ exposures, user }: Batch, ruleset: Specs) {
  const violations = exposures.flatMap((exposure, index) => findFaults(exposure, `exposures[${index}]`));
  if (violations.length > 0) throw invalid(violations);
  return exposures.map((exposure) => toEvent(exposure, (exposure.user ?? user ?? {}) as User, ruleset));
}

function findFaults({ gateName, experimentName, passes, ruleID, group, time }: CustomExposure, place: string): Violation[] {
  const faults: Violation[] = [];
  const refuse = (name: string, errorMessage: string) => faults.push({ property: `${place}.${name}`, errorMessage });
  if ((gateName === undefined) === (experimentName === undefined)) refuse("gateName", "is required, or experimentName, but not both");
  if (gateName !== undefined && passes === undefined) refuse("passes", "is required for a gate");
  if (ruleID === undefined && group === undefined) refuse("ruleID", "is required unless group is given");
  const at = toTime(time);
  const timeFault = Number.isNaN(at) ? "must be milliseconds since the epoch or an ISO 8601 time" : timeError(at);
  if (timeFault) refuse("time", timeFault);
  return faults;
}

function toEvent(exposure: CustomExposure, user: User, ruleset: Specs) {
  const { gateName, experimentName, passes, secondaryExposures, time } = exposure;
  const specs = gateName === undefined ? ruleset.configs : ruleset.gates;
  const name = gateName ?? experimentName;
  const ruleID = exposure.ruleID ?? findRuleID(specs.get(name as string)?.rules ?? [], exposure.group as string);
  const shown = gateName === undefined ? { config: name, ruleID } : { gate: name, gateValue: String(passes), ruleID };
  return {
    eventName: gateName === undefined ? "statsig::config_exposure" : "statsig::gate_exposure",
    user: withoutPrivate(user),
    value: null,
    metadata: { ...shown, isManualExposure: "true" },
    secondaryExposures: secondaryExposures ?? [],
    ...(time !== undefined && time !== null && { time: toTime(time) }),
  };
}

/** The id of the rule with a name; the name itself if no rule has it. */
function findRuleID(rules: { id: string; name: string; groupName?: string | null }[], group: string): string {
  return rules.find((rule) => rule.groupName === group || rule.name === group)?.id ?? group;
}

/** Milliseconds since the epoch; NaN if it is not a time. */
function toTime(time: CustomExposure["time"]): number {
  if (typeof time !== "string") return time ?? 0;
  return /^\d+$/.test(time) ? Number(time) : Date.parse(time);
}
