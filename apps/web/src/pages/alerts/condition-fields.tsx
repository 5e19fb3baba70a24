import entity from "../../entity/entity.module.css";
import { MetricChoice } from "../../entity/entity-choice.tsx";
import { CONDITIONS, durationOptions, TYPES, toOptions } from "../../results/alert-words.ts";
import { Select } from "../../ui/choice.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { type Fields, withCondition } from "./alert-draft.ts";

export type Condition = Pick<Fields, "metric" | "alertType" | "condition" | "alertThreshold" | "warningThreshold" | "windowMs">;

type Props = {
  fields: Condition;
  set: (changed: Partial<Condition>) => void;
  faultAt: (property: string) => string | undefined;
  isDisabled: boolean;
};

/** The value compared with the threshold, its metric, and the time window. */
export function ConditionFields({ fields, set, faultAt, isDisabled }: Props) {
  const at = (property: string) => ({ error: faultAt(property), isDisabled });
  return (
    <>
      <MetricChoice
        label="Metric"
        value={fields.metric === "" ? null : fields.metric}
        onChange={(metric) => set({ metric })}
        // User metrics count whole days, so alerts cannot use them.
        without={["user"]}
        placeholder="Search metrics"
        {...at("metrics.A.id")}
      />
      <Select
        label="Compare"
        options={toOptions(TYPES)}
        value={fields.alertType}
        onChange={(id) => set({ alertType: id as Condition["alertType"] })}
        {...at("alertType")}
      />
      <Select
        label="Window"
        options={durationOptions(fields.windowMs)}
        value={String(fields.windowMs)}
        onChange={(id) => set({ windowMs: Number(id) })}
        description="The latest period, up to each check."
        {...at("windowMs")}
      />
      <div className={entity.row}>
        <Select
          label="Alert when it’s"
          options={toOptions(CONDITIONS)}
          value={fields.condition}
          onChange={(id) => set(withCondition(id as Condition["condition"]))}
          {...at("condition")}
        />
        <ThresholdField
          label="Alert threshold"
          value={fields.alertThreshold}
          onChange={(alertThreshold) => alertThreshold !== null && set({ alertThreshold })}
          alertType={fields.alertType}
          {...at("alertThreshold")}
        />
      </div>
    </>
  );
}

type ThresholdProps = {
  label: string;
  description?: string;
  value: number | null;
  /** Null if the field is emptied. */
  onChange: (value: number | null) => void;
  alertType: Condition["alertType"];
  error: string | undefined;
  isDisabled: boolean;
};

/** A number with which the value is compared. */
export function ThresholdField({ value, onChange, alertType, ...field }: ThresholdProps) {
  return (
    <NumberField
      {...field}
      isOptional
      value={value ?? Number.NaN}
      onChange={(given) => onChange(Number.isNaN(given) ? null : given)}
      decimals={6}
      {...(alertType === "pct_change" && { unit: "%" })}
    />
  );
}
