import type { Subject } from "../../results/pulse/subject.ts";
import type { ExposureSource } from "../../results/sql/exposed.ts";
import type { UnitSource } from "../../results/sql/unit-source.ts";
import type { Gate } from "../gates/gate.ts";
import type { Holdout } from "../holdouts/holdout.ts";

/**
 * The settings in a version that decide which units pass, as a text: their type and the pass percentage. As long as it stays the same,
 * units that saw the gate's rule or the holdout for the first time are comparable. Undefined if the version lacks the rule.
 */
export function chanceIn(version: Gate | Holdout, { ruleID }: Subject): string | undefined {
  const holder = holderIn(version, ruleID);
  return holder && `${holder.passPercentage} ${version.idType}`;
}

type ComparedInPhase = UnitSource & { exposureSource: Exclude<ExposureSource, { type: "experiment" }> };

/** The comparison of a gate's rule or a holdout. A deleted rule no longer affects users. */
export function comparedInPhase(version: Gate | Holdout, ruleID: string | null): ComparedInPhase {
  const { id, idType } = version;
  const { passPercentage } = holderIn(version, ruleID) ?? { passPercentage: 0 };
  return {
    exposureSource: ruleID === null ? { type: "holdout", id, passPercentage } : { type: "gate", id, ruleID, passPercentage },
    idType,
  };
}

function holderIn(version: Gate | Holdout, ruleID: string | null): { passPercentage: number } | undefined {
  return "rules" in version ? version.rules.find(({ id }) => id === ruleID) : version;
}
