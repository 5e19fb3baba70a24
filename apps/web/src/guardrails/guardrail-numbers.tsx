import { exact } from "../charts/format.ts";
import entity from "../entity/entity.module.css";
import { halfWidth, preciseChange } from "../results/digits.ts";
import { ExplainedNumber } from "../results/explained-number.tsx";
import { numberText } from "../results/verdicts.ts";
import { GUARDRAIL_MEANINGS } from "./guardrail-meanings.ts";
import type { GuardedPart, ShownNumbers } from "./guardrail-words.ts";

type AllowedProps = { part: GuardedPart; maxHarmPercent: number; pausesRollouts?: boolean | undefined };

/** The harm that a guardrail allows, and the effect of its alert. */
export function Allowed({ part, maxHarmPercent, pausesRollouts }: AllowedProps) {
  return (
    <>
      <ExplainedNumber meaning={GUARDRAIL_MEANINGS[part].maxHarmPercent} text={`${numberText(maxHarmPercent)}% worse at most`} />
      {pausesRollouts !== undefined && (
        <div className={entity.soft}>{pausesRollouts ? "An alert pauses rollouts" : "An alert does not pause rollouts"}</div>
      )}
    </>
  );
}

const UNITS: Readonly<Record<GuardedPart, { test: (units: string) => string; control: (units: string) => string }>> = {
  rule: { test: (units) => `${units} pass`, control: (units) => `${units} fail` },
  group: { test: (units) => `${units} units`, control: (units) => `${units} in the control group` },
};

type FoundProps = Pick<ShownNumbers, "percentChange" | "percentInterval" | "testUnits" | "controlUnits"> & { part: GuardedPart };

/** The change with its interval, and of how many units it is, each number explained. */
export function Found({ part, percentChange, percentInterval, testUnits, controlUnits }: FoundProps) {
  const [lower, upper] = percentInterval ?? [];
  const toText = (percent: number) => `${preciseChange(percent, halfWidth(percentInterval))}%`;
  const [meanings, words] = [GUARDRAIL_MEANINGS[part], UNITS[part]];
  return (
    <>
      {percentChange === undefined ? "–" : <ExplainedNumber meaning={meanings.percentChange} text={toText(percentChange)} />}
      {lower !== undefined && upper !== undefined && (
        <>
          {" "}
          <ExplainedNumber
            meaning={meanings.percentInterval}
            text={`(${toText(lower)} to ${toText(upper)})`}
            worked={`of 100 such intervals, 95 hold the true change at all checks.`}
          />
        </>
      )}
      {testUnits !== undefined && controlUnits !== undefined && (
        <div className={entity.soft}>
          <ExplainedNumber meaning={meanings.testUnits} text={words.test(exact(testUnits))} />,{" "}
          <ExplainedNumber meaning={meanings.controlUnits} text={words.control(exact(controlUnits))} />
        </div>
      )}
    </>
  );
}
