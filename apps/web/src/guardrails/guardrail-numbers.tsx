import type { Schema } from "../../api.ts";
import { exact } from "../../charts/format.ts";
import entity from "../../entity/entity.module.css";
import { ExplainedNumber } from "../../results/explained-number.tsx";
import { GUARDRAIL_MEANINGS } from "../../results/guardrail-meanings.ts";
import { numberText, signedText } from "../../results/verdicts.ts";

type Finding = Pick<Schema<"GuardrailLook">, "percentChange" | "percentInterval" | "passingUnits" | "failingUnits">;

/** How much a guardrail allows, and what its alert does. */
export function Allowed({ maxHarmPercent, pausesRollouts }: Pick<Schema<"GuardrailLook">, "maxHarmPercent" | "pausesRollouts">) {
  return (
    <>
      <ExplainedNumber meaning={GUARDRAIL_MEANINGS.maxHarmPercent} text={`${numberText(maxHarmPercent)} % worse at most`} />
      <div className={entity.soft}>{pausesRollouts ? "An alert pauses rollouts" : "An alert does not pause rollouts"}</div>
    </>
  );
}

/** The change with its interval, and of how many units it is, each number explained. */
export function Found({ percentChange, percentInterval, passingUnits, failingUnits }: Finding) {
  const [lower, upper] = percentInterval ?? [];
  return (
    <>
      {percentChange === undefined ? (
        "–"
      ) : (
        <ExplainedNumber meaning={GUARDRAIL_MEANINGS.percentChange} text={`${signedText(percentChange)} %`} />
      )}
      {lower !== undefined && upper !== undefined && (
        <>
          {" "}
          <ExplainedNumber
            meaning={GUARDRAIL_MEANINGS.percentInterval}
            text={`(${signedText(lower)} % to ${signedText(upper)} %)`}
            worked={`of 100 such intervals, 95 hold the true change at all looks.`}
          />
        </>
      )}
      {passingUnits !== undefined && failingUnits !== undefined && (
        <div className={entity.soft}>
          <ExplainedNumber meaning={GUARDRAIL_MEANINGS.passingUnits} text={`${exact(passingUnits)} pass`} />,{" "}
          <ExplainedNumber meaning={GUARDRAIL_MEANINGS.failingUnits} text={`${exact(failingUnits)} fail`} />
        </div>
      )}
    </>
  );
}
