import entity from "../../entity/entity.module.css";
import { Checkbox, NumberField } from "../../ui/field.tsx";
import { type Metric, setMostHarm, setPausing } from "./guardrail-draft.ts";

/** As many digits as a number has, since the field writes back what it shows. */
const EXACT: Intl.NumberFormatOptions = { maximumSignificantDigits: 17, useGrouping: false };

type Props = { metric: Metric; onChange: (metric: Metric) => void; error: string | undefined; isDisabled: boolean };

/** How much harm a metric may take. An empty number means that it has no guardrail. */
export function GuardrailFields({ metric, onChange, error, isDisabled }: Props) {
  const { guardrail } = metric;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a row.
    <div className={entity.row} role="group" aria-label={`Guardrail of ${metric.name}`}>
      <NumberField
        label="Most harm"
        unit="%"
        minValue={0}
        maxValue={100}
        value={guardrail?.maxHarmPercent ?? Number.NaN}
        onChange={(percent) => onChange(setMostHarm(metric, Number.isNaN(percent) ? undefined : percent))}
        formatOptions={EXACT}
        error={error}
        isDisabled={isDisabled}
      />
      <Checkbox
        isSelected={guardrail?.pausesRollouts === true}
        onChange={(isPausing) => onChange(setPausing(metric, isPausing))}
        isDisabled={isDisabled || guardrail === undefined}
      >
        Pause rollouts
      </Checkbox>
    </div>
  );
}
