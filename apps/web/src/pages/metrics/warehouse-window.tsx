import { Section } from "../../shell/page.tsx";
import { Checkbox } from "../../ui/field.tsx";
import type { WarehouseProps } from "./outlier-fields.tsx";
import { reads, type Warehouse } from "./warehouse-draft.ts";
import { LAST_DAY, WINDOWS, type Window, WindowRow } from "./window-fields.tsx";

const LIKE_NUMERATOR = { id: "same", label: "Same as the numerator" };

/** When rows count: by a window of the aggregation, and of the denominator of a ratio. */
export function WarehouseWindow({ warehouse, set, ...own }: WarehouseProps) {
  const { rollupTimeWindow = "max", customRollUpStart, customRollUpEnd, waitForCohortWindow = false } = warehouse;
  const { denominatorRollupTimeWindow = LIKE_NUMERATOR.id, denominatorCustomRollupStart, denominatorCustomRollupEnd } = warehouse;
  return (
    <Section title="Window" description="Choose which rows count, by time.">
      <WindowRow
        label="Rows that count"
        options={WINDOWS}
        value={{ window: rollupTimeWindow, firstDay: customRollUpStart, lastDay: customRollUpEnd }}
        onChange={(changed) => set(numeratorFields(changed))}
        paths={["warehouseNative.rollupTimeWindow", "warehouseNative.customRollUpStart", "warehouseNative.customRollUpEnd"]}
        {...own}
      />
      {rollupTimeWindow === "custom" && (
        <Checkbox
          isSelected={waitForCohortWindow}
          onChange={(waits) => set({ waitForCohortWindow: waits })}
          isDisabled={own.disabledReason !== undefined}
        >
          Count units only after their window ends
        </Checkbox>
      )}
      {reads(warehouse, "denominatorRollupTimeWindow") && (
        <WindowRow
          label="Rows of the denominator that count"
          options={[LIKE_NUMERATOR, ...WINDOWS]}
          value={{
            window: denominatorRollupTimeWindow,
            firstDay: denominatorCustomRollupStart,
            lastDay: denominatorCustomRollupEnd,
          }}
          onChange={(changed) => set(denominatorFields(changed))}
          paths={[
            ...(["warehouseNative.denominatorRollupTimeWindow", "warehouseNative.denominatorCustomRollupStart"] as const),
            "warehouseNative.denominatorCustomRollupEnd",
          ]}
          {...own}
        />
      )}
    </Section>
  );
}

/** The days of a window that is chosen. Only a custom one has them. */
const windowDays = (window: string) => (window === "custom" ? { first: 0, last: LAST_DAY } : { first: undefined, last: undefined });

function numeratorFields({ window, ...changed }: Partial<Window>): Partial<Warehouse> {
  if (window === undefined) {
    return {
      ...("firstDay" in changed && { customRollUpStart: changed.firstDay }),
      ...("lastDay" in changed && { customRollUpEnd: changed.lastDay }),
    };
  }
  const { first, last } = windowDays(window);
  return {
    rollupTimeWindow: window as Warehouse["rollupTimeWindow"],
    ...{ customRollUpStart: first, customRollUpEnd: last },
    ...(window !== "custom" && { waitForCohortWindow: undefined }),
  };
}

function denominatorFields({ window, ...changed }: Partial<Window>): Partial<Warehouse> {
  if (window === undefined) {
    return {
      ...("firstDay" in changed && { denominatorCustomRollupStart: changed.firstDay }),
      ...("lastDay" in changed && { denominatorCustomRollupEnd: changed.lastDay }),
    };
  }
  const { first, last } = windowDays(window);
  return {
    denominatorRollupTimeWindow: window === LIKE_NUMERATOR.id ? undefined : (window as Warehouse["denominatorRollupTimeWindow"]),
    ...{ denominatorCustomRollupStart: first, denominatorCustomRollupEnd: last },
  };
}
