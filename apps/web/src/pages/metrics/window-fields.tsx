import type { FieldProps } from "../../entity/field-props.ts";
import { Section } from "../../shell/page.tsx";
import { Select } from "../../ui/choice.tsx";
import { WINDOW_NAMES } from "./definition-words.ts";
import type { Fields } from "./metric-draft.ts";
import type { MetricType } from "./metric-words.ts";
import styles from "./metrics.module.css";
import { OptionalNumber } from "./number-fields.tsx";

const MAX_DAY = 365;
export const LAST_DAY = 6;

/** A window and its days, which only a custom one has. */
export type Window = { window: string; firstDay: number | undefined; lastDay: number | undefined };

type RowProps = FieldProps & {
  label?: string;
  options: readonly { id: string; label: string }[];
  value: Window;
  onChange: (changed: Partial<Window>) => void;
  /** The paths of the three fields in a request. */
  paths: readonly [window: string, firstDay: string, lastDay: string];
};

export const WINDOWS = (["max", "custom"] as const).map((id) => ({ id, label: WINDOW_NAMES[id] }));

/** The time window of events that count. */
export function WindowRow({ label = "Events that count", options, value, onChange, paths, disabledReason, faultAt }: RowProps) {
  const { window, firstDay, lastDay } = value;
  const [at, firstAt, lastAt] = paths;
  const isDisabled = disabledReason !== undefined;
  const shared = { min: 0, max: MAX_DAY, isWhole: true, isDisabled };
  return (
    <div className={styles.fields}>
      <Select
        label={label}
        options={options}
        value={window}
        onChange={(id) => onChange({ window: id })}
        error={faultAt(at)}
        isDisabled={isDisabled}
      />
      {window === "custom" && (
        <>
          <OptionalNumber
            label="First day"
            description="Day 0 is the exposure day."
            value={firstDay}
            onChange={(day) => onChange({ firstDay: day })}
            error={faultAt(firstAt)}
            {...shared}
          />
          <OptionalNumber
            label="Last day"
            description="Days 0 to 6 are seven 24-hour periods."
            value={lastDay}
            onChange={(day) => onChange({ lastDay: day })}
            error={faultAt(lastAt)}
            {...shared}
          />
        </>
      )}
    </div>
  );
}

type Props = FieldProps & { type: MetricType; fields: Fields; set: (changed: Partial<Fields>) => void };

const DAILY = { id: "daily_participation_rate", label: WINDOW_NAMES.daily_participation_rate };

/** When events count. */
export function WindowFields({ type, fields: { rollupTimeWindow, firstDay, lastDay }, set, ...own }: Props) {
  return (
    <Section title="Window" description="Choose which events count, by time.">
      <WindowRow
        options={type === "event_user" ? [...WINDOWS, DAILY] : WINDOWS}
        value={{ window: rollupTimeWindow, firstDay, lastDay }}
        // A day that is cleared stays as it was.
        onChange={({ window, firstDay: first, lastDay: last }) =>
          set({
            ...(window !== undefined && { rollupTimeWindow: window as Fields["rollupTimeWindow"] }),
            ...(first !== undefined && { firstDay: first }),
            ...(last !== undefined && { lastDay: last }),
          })
        }
        paths={["rollupTimeWindow", "customRollUpStart", "customRollUpEnd"]}
        {...own}
      />
    </Section>
  );
}
