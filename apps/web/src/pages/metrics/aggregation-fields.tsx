import type { FieldProps } from "../../entity/field-props.ts";
import { Section } from "../../shell/page.tsx";
import { Select } from "../../ui/choice.tsx";
import { AGGREGATIONS, type Aggregation } from "./aggregations.ts";
import { computedBy, type Fields, fieldsOfComputed } from "./metric-draft.ts";
import styles from "./metrics.module.css";
import { OptionalNumber, OptionalShare } from "./number-fields.tsx";
import { OutlierFields, type WarehouseProps } from "./outlier-fields.tsx";
import { type Computed, type Warehouse, withAggregation, withFields } from "./warehouse-draft.ts";
import { WarehouseRows } from "./warehouse-rows.tsx";
import { WarehouseSteps } from "./warehouse-steps.tsx";
import { WarehouseWindow } from "./warehouse-window.tsx";

const CHOICE = Object.entries(AGGREGATIONS).map(([id, words]) => ({ id, ...words }));
const MAX_RETURN_DAY = 365;
const MAX_DAYS = 90;

type Props = FieldProps & {
  fields: Fields;
  /** The definition as it is stored. */
  stored: Warehouse;
  set: (changed: Partial<Fields>) => void;
};

/** How to combine the rows of each unit. */
export function AggregationFields({ fields, stored, set, ...own }: Props) {
  const computed = computedBy(fields);
  const { warehouse } = computed;
  const { aggregation } = warehouse;
  const isDisabled = own.disabledReason !== undefined;
  const change = (changed: Computed) => set(fieldsOfComputed(changed));
  const setWarehouse = (changed: Partial<Warehouse>) => change({ ...computed, warehouse: withFields(warehouse, changed, stored) });
  const shared = { warehouse, set: setWarehouse, ...own };
  return (
    <>
      <Section title="Aggregation" description="How to combine the rows of each unit.">
        <div className={styles.fields}>
          <Select
            label="Aggregation"
            description={`${AGGREGATIONS[aggregation].hint}.`}
            options={CHOICE}
            value={aggregation}
            onChange={(id) => change(withAggregation(computed, id as Aggregation))}
            error={own.faultAt("warehouseNative.aggregation")}
            isDisabled={isDisabled}
          />
          <OwnNumbers {...shared} />
        </div>
      </Section>
      {aggregation === "funnel" ? <WarehouseSteps {...shared} /> : <WarehouseRows computed={computed} change={change} {...shared} />}
      <WarehouseWindow {...shared} />
      <OutlierFields {...shared} />
    </>
  );
}

/** The numbers that one aggregation alone reads. */
function OwnNumbers({ warehouse, set, disabledReason, faultAt }: WarehouseProps) {
  const { aggregation, percentile, retentionEnd, retentionLength } = warehouse;
  const at = (field: keyof Warehouse) => ({ error: faultAt(`warehouseNative.${field}`), isDisabled: disabledReason !== undefined });
  if (aggregation === "percentile") {
    return (
      <OptionalShare
        label="Percentile"
        description="50 is the median."
        value={percentile}
        onChange={(share) => set({ percentile: share })}
        {...at("percentile")}
      />
    );
  }
  if (aggregation !== "retention") return null;
  return (
    <>
      <OptionalNumber
        label="Last day of the return window"
        description="In days after the unit’s first row. Empty: 7."
        value={retentionEnd}
        onChange={(day) => set({ retentionEnd: day })}
        {...{ min: 0, max: MAX_RETURN_DAY, isWhole: true }}
        {...at("retentionEnd")}
      />
      <OptionalNumber
        label="Length of the return window"
        description="In days, up to the last day. Empty: 7."
        value={retentionLength}
        onChange={(days) => set({ retentionLength: days })}
        {...{ min: 1, max: MAX_DAYS, isWhole: true }}
        {...at("retentionLength")}
      />
    </>
  );
}
