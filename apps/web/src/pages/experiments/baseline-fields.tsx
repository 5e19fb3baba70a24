import { useState } from "react";
import type { WritableSchema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { NumberField } from "../../ui/number-field.tsx";
import { type Baseline, baselineOfRate, isRate } from "./power.ts";

type Props = {
  metric: WritableSchema<"PowerRequest">["metric"];
  value: Baseline | undefined;
  onChange: (baseline: Baseline | undefined) => void;
};

/** The values of a metric without the experiment, where recent users have none. */
export function BaselineFields({ metric, value, onChange }: Props) {
  const [typed, setTyped] = useState({ mean: value?.mean ?? Number.NaN, standardDeviation: value?.standardDeviation ?? Number.NaN });
  const change = (changed: Partial<Baseline>) => {
    const next = { ...typed, ...changed };
    setTyped(next);
    onChange(Number.isNaN(next.mean) || Number.isNaN(next.standardDeviation) ? undefined : next);
  };
  if (isRate(metric))
    return (
      <div className={entity.row}>
        <NumberField
          label={`Current rate of ${metric.name}`}
          description="The share of users who convert today."
          isOptional
          value={value === undefined ? Number.NaN : Number((100 * value.mean).toPrecision(12))}
          onChange={(percent) => onChange(Number.isNaN(percent) ? undefined : baselineOfRate(percent))}
          minValue={0.01}
          maxValue={99.99}
          decimals={2}
          unit="%"
        />
      </div>
    );
  return (
    <div className={entity.row}>
      <NumberField
        label={`Current mean of ${metric.name}`}
        description="The average per user today. For ratios, the ratio."
        isOptional
        value={typed.mean}
        onChange={(mean) => change({ mean })}
        minValue={-1e15}
        maxValue={1e15}
      />
      <NumberField
        label={`Standard deviation of ${metric.name}`}
        description="How much users differ from the mean today."
        isOptional
        value={typed.standardDeviation}
        onChange={(standardDeviation) => change({ standardDeviation })}
        minValue={0.000001}
        maxValue={1e15}
      />
    </div>
  );
}
