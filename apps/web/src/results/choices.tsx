import { Select } from "../ui/choice.tsx";
import { Checkbox } from "../ui/field.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { CORRECTION_NAMES, dividesAlpha, USUAL_PRIMARY_SHARE } from "./correction-choice.ts";
import { CORRECTIONS, type Correction } from "./corrections.ts";
import { CONFIDENCES, PRIMARY_SHARE } from "./results-search.ts";
import { useResultsSearch } from "./use-results-search.ts";

/** How results are computed, which the address says. @param usual the confidence without a choice, in percent */
export function Choices({ usual }: { usual: number }) {
  const [{ confidence = usual, cuped = true }, change] = useResultsSearch();
  return (
    <>
      <Select
        label="Confidence"
        options={CONFIDENCES.map((level) => ({ id: String(level), label: `${level}%` }))}
        value={String(confidence)}
        onChange={(level) => change({ confidence: Number(level) === usual ? undefined : CONFIDENCES.find((one) => one === Number(level)) })}
      />
      <Checkbox isSelected={cuped} onChange={(isOn) => change({ cuped: isOn ? undefined : false })}>
        Use CUPED
      </Checkbox>
    </>
  );
}

/** The correction for many comparisons, kept in the address. @param usual the correction without a choice */
export function CorrectionChoice({ usual }: { usual: Correction }) {
  const [{ correction = usual, primaryShare = USUAL_PRIMARY_SHARE }, change] = useResultsSearch();
  return (
    <>
      <Select
        label="Corrections"
        options={CORRECTIONS.map((one) => ({ id: one, label: CORRECTION_NAMES[one] }))}
        value={correction}
        onChange={(chosen) => change({ correction: chosen === usual ? undefined : CORRECTIONS.find((one) => one === chosen) })}
      />
      {dividesAlpha(correction) && (
        <NumberField
          label="α of primary metrics"
          unit="%"
          value={primaryShare}
          onChange={(share) => change({ primaryShare: share === USUAL_PRIMARY_SHARE ? undefined : share })}
          {...{ minValue: PRIMARY_SHARE.min, maxValue: PRIMARY_SHARE.max, step: 1 }}
        />
      )}
    </>
  );
}

/** Whether results are adjusted as the experiment says, kept in the address. @param label the adjustment; undefined if there is none */
export function AdjustmentChoice({ label }: { label: string | undefined }) {
  const [{ adjustment = true }, change] = useResultsSearch();
  if (label === undefined) return null;
  return (
    <Checkbox isSelected={adjustment} onChange={(isOn) => change({ adjustment: isOn ? undefined : false })}>
      {label}
    </Checkbox>
  );
}
