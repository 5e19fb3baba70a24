import type { FieldProps } from "../../entity/field-props.ts";
import { Section } from "../../shell/page.tsx";
import styles from "./metrics.module.css";
import { OptionalNumber, OptionalShare } from "./number-fields.tsx";
import { reads, type Warehouse } from "./warehouse-draft.ts";

export type WarehouseProps = FieldProps & { warehouse: Warehouse; set: (changed: Partial<Warehouse>) => void };

const PARTS = [
  { end: "", of: "" },
  { end: "Denominator", of: " of the denominator" },
] as const;

/** The limits of units' values, and the number of days for CUPED. All of these fields are optional. */
export function OutlierFields({ warehouse, set, disabledReason, faultAt }: WarehouseProps) {
  const isDisabled = disabledReason !== undefined;
  const at = (field: keyof Warehouse) => ({ error: faultAt(`warehouseNative.${field}`), isDisabled });
  const bounds = PARTS.filter(({ end }) => reads(warehouse, `winsorizationLow${end}`));
  const isEmpty = bounds.length === 0 && !reads(warehouse, "cupedAttributionWindow");
  if (isEmpty) return null;
  return (
    <Section title="Outliers and variance" description="Limit extreme values to get more precise results. Leave fields empty for no limit.">
      <div className={styles.fields}>
        {reads(warehouse, "cap") && (
          <OptionalNumber
            label="Daily cap per unit"
            description="Caps each unit’s value on each day."
            value={warehouse.cap}
            onChange={(cap) => set({ cap })}
            min={0}
            {...at("cap")}
          />
        )}
        {reads(warehouse, "valueThreshold") && (
          <OptionalNumber
            label="At least"
            description="Counts the units with at least this value."
            value={warehouse.valueThreshold}
            onChange={(valueThreshold) => set({ valueThreshold })}
            {...at("valueThreshold")}
          />
        )}
        {bounds.map(({ end, of }) => (
          <OptionalShare
            key={`low ${end}`}
            label={`Lowest percentile${of}`}
            description="Raises lower values to this percentile."
            value={warehouse[`winsorizationLow${end}`]}
            onChange={(share) => set({ [`winsorizationLow${end}`]: share })}
            {...at(`winsorizationLow${end}`)}
          />
        ))}
        {bounds.map(({ end, of }) => (
          <OptionalShare
            key={`high ${end}`}
            label={`Highest percentile${of}`}
            description="Lowers higher values to this percentile."
            value={warehouse[`winsorizationHigh${end}`]}
            onChange={(share) => set({ [`winsorizationHigh${end}`]: share })}
            {...at(`winsorizationHigh${end}`)}
          />
        ))}
        {reads(warehouse, "cupedAttributionWindow") && (
          <OptionalNumber
            label="Days that CUPED uses"
            description="Days before the first exposure. Empty: 7."
            value={warehouse.cupedAttributionWindow}
            onChange={(cupedAttributionWindow) => set({ cupedAttributionWindow })}
            {...{ min: 1, max: 90, isWhole: true }}
            {...at("cupedAttributionWindow")}
          />
        )}
      </div>
    </Section>
  );
}
