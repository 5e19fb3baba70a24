import type { ReactNode } from "react";
import entity from "../entity/entity.module.css";
import type { GuardedMetric } from "../targeting/metric-changes.ts";
import { NumberField } from "../ui/number-field.tsx";
import { setMostHarm } from "./guardrail-draft.ts";

/** As many digits as a number has, since the field writes back the number it shows. */

type Props<Metric extends GuardedMetric> = {
  metric: Metric;
  onChange: (metric: ReturnType<typeof setMostHarm<Metric>>) => void;
  error: string | undefined;
  isDisabled: boolean;
  /** More fields of a guardrail that is new. */
  added?: { pausesRollouts?: boolean };
  /** Other fields of the guardrail. */
  children?: ReactNode;
};

/** How much harm a metric may take. An empty number means that it has no guardrail. */
export function GuardrailFields<Metric extends GuardedMetric>(props: Props<Metric>) {
  const { metric, onChange, error, isDisabled, added, children } = props;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a row.
    <div className={entity.row} role="group" aria-label={`Guardrail of ${metric.name}`}>
      <NumberField
        label="Guardrail: max. regression"
        isOptional
        unit="%"
        minValue={0}
        maxValue={100}
        value={metric.guardrail?.maxHarmPercent ?? Number.NaN}
        onChange={(percent) => onChange(setMostHarm(metric, Number.isNaN(percent) ? undefined : percent, added))}
        error={error}
        isDisabled={isDisabled}
      />
      {children}
    </div>
  );
}
