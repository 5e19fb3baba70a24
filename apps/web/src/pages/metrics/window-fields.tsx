import entity from "../../entity/entity.module.css";
import { Section } from "../../shell/page.tsx";
import { Select } from "../../ui/choice.tsx";
import { NumberField } from "../../ui/field.tsx";
import type { Fields } from "./metric-draft.ts";
import type { MetricType } from "./metric-words.ts";

const MAX_DAY = 365;

const WINDOWS = [
  { id: "max", label: "Since the first exposure" },
  { id: "custom", label: "Some days after it" },
];
const DAILY = { id: "daily_participation_rate", label: "Since the first exposure, as the share of days with an event" };

type Props = {
  type: MetricType;
  fields: Fields;
  set: (changed: Partial<Fields>) => void;
  disabledReason: string | undefined;
  faultAt: (property: string) => string | undefined;
};

/** When events count. */
export function WindowFields({ type, fields: { rollupTimeWindow, firstDay, lastDay }, set, disabledReason, faultAt }: Props) {
  const isDisabled = disabledReason !== undefined;
  return (
    <Section title="Window" description="Which events of a unit count, by when they happened.">
      <div className={entity.row}>
        <Select
          label="Events that count"
          options={type === "event_user" ? [...WINDOWS, DAILY] : WINDOWS}
          value={rollupTimeWindow}
          onChange={(id) => set({ rollupTimeWindow: id as Fields["rollupTimeWindow"] })}
          error={faultAt("rollupTimeWindow")}
          isDisabled={isDisabled}
        />
        {rollupTimeWindow === "custom" && (
          <>
            <NumberField
              label="First day"
              description="0 is the day of the exposure."
              value={firstDay}
              onChange={(day) => !Number.isNaN(day) && set({ firstDay: day })}
              {...{ minValue: 0, maxValue: MAX_DAY, step: 1 }}
              error={faultAt("customRollUpStart")}
              isDisabled={isDisabled}
            />
            <NumberField
              label="Last day"
              description="0 to 6 are seven times 24 hours."
              value={lastDay}
              onChange={(day) => !Number.isNaN(day) && set({ lastDay: day })}
              {...{ minValue: 0, maxValue: MAX_DAY, step: 1 }}
              error={faultAt("customRollUpEnd")}
              isDisabled={isDisabled}
            />
          </>
        )}
      </div>
    </Section>
  );
}
