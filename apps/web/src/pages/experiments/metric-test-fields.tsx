import type { Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { Select } from "../../ui/choice.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { setNumber, setTestType, TEST_TYPES, toTestType } from "./metric-test.ts";

type Metric = Schema<"ExperimentMetric">;
type Props = { metric: Metric; onChange: (metric: Metric) => void; error: string | undefined; isDisabled: boolean };

/** The question that a metric answers, and the change that is expected of it. */
export function MetricTestFields({ metric, onChange, error, isDisabled }: Props) {
  const { testType = "two_sided", nonInferiorityMargin = Number.NaN, hypothesizedValue = Number.NaN } = metric;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a row.
    <div className={entity.row} role="group" aria-label={`Test of ${metric.name}`}>
      <Select
        label="Question"
        options={TEST_TYPES}
        value={testType}
        onChange={(id) => onChange(setTestType(metric, toTestType(id)))}
        isDisabled={isDisabled}
      />
      {testType === "non_inferiority" ? (
        <NumberField
          label="Margin"
          unit="%"
          minValue={0}
          maxValue={100}
          value={nonInferiorityMargin}
          onChange={(percent) => onChange(setNumber(metric, "nonInferiorityMargin", percent))}
          error={error}
          isDisabled={isDisabled}
        />
      ) : (
        <NumberField
          label="Expected change"
          isOptional
          unit="%"
          value={hypothesizedValue}
          onChange={(percent) => onChange(setNumber(metric, "hypothesizedValue", percent))}
          isDisabled={isDisabled}
        />
      )}
    </div>
  );
}
