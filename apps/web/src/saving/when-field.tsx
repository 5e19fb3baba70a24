import { useQuery } from "@tanstack/react-query";
import { query, type Timing } from "../api.ts";
import { daysOf, faultOfFirstDay, faultOfRepeat, type Repeat } from "../targeting/repetition.ts";
import { Select } from "../ui/choice.tsx";
import { DateField } from "../ui/date-field.tsx";
import { localInput } from "../ui/field-time.ts";
import { RepeatField } from "./repeat-field.tsx";

const options = (isForReview: boolean) => [
  { id: "now", label: isForReview ? "As soon as it’s published" : "Now" },
  { id: "later", label: "At a later time" },
];

/** When a change is applied, and how it repeats. */
export type When = { applyAt: number; repeat: Repeat };

const ONCE: Repeat = { rule: "never", days: [], until: undefined };

/** The next day at nine, in the reader's zone. */
function nextMorning(): number {
  const date = new Date();
  date.setDate(date.getDate() + 1);
  date.setHours(9, 0, 0, 0);
  return date.getTime();
}

const YEAR_MS = 366 * 24 * 60 * 60 * 1_000;

/** Why a change can't be applied at this time, ms since the epoch; undefined if it can. */
export function faultOfTime(time: number, now: number): string | undefined {
  if (time <= now) return "Choose a time in the future.";
  return time > now + YEAR_MS ? "Choose a time within the next year." : undefined;
}

/** The faults of a change's time and of how it repeats. */
type Faults = { time?: string | undefined; repeat?: string | undefined };

/** The time and the days of a change as the API has them, and why it can't be scheduled like this. */
export function useTiming(when: When | undefined): { timing: Timing | undefined; faults: Faults } {
  const repeats = when !== undefined && when.repeat.rule !== "never";
  const { data } = useQuery({ ...query("getProjectSettings"), enabled: repeats });
  if (when === undefined) return { timing: undefined, faults: {} };
  const { applyAt, repeat } = when;
  const fault = faultOfTime(applyAt, Date.now());
  if (!repeats) return { timing: { applyAt }, faults: { time: fault } };
  if (data === undefined) return { timing: { applyAt }, faults: { time: fault ?? "Still loading the project’s time zone." } };
  const { timeZone } = data.data;
  return {
    timing: { applyAt, repeat: daysOf(repeat, applyAt, timeZone), ...(repeat.until !== undefined && { repeatUntil: repeat.until }) },
    faults: { time: fault ?? faultOfFirstDay(repeat, applyAt, timeZone), repeat: faultOfRepeat(repeat, applyAt) },
  };
}

type Props = {
  /** Undefined for now. */
  value: When | undefined;
  onChange: (value: When | undefined) => void;
  faults: Faults;
  isRepeatable: boolean;
  /** Whether the change needs a review first. */
  isForReview: boolean;
};

/** When a change is applied. */
export function WhenField({ value, onChange, faults, isRepeatable, isForReview }: Props) {
  return (
    <>
      <Select
        label="When"
        options={options(isForReview)}
        value={value === undefined ? "now" : "later"}
        onChange={(id) => onChange(id === "now" ? undefined : { applyAt: nextMorning(), repeat: ONCE })}
        {...(value !== undefined && { description: "The server checks the change now and applies it at that time on your behalf." })}
      />
      {value !== undefined && (
        <TimeField value={value.applyAt} onChange={(applyAt) => onChange({ ...value, applyAt })} fault={faults.time} />
      )}
      {value !== undefined && isRepeatable && (
        <RepeatField value={value.repeat} onChange={(repeat) => onChange({ ...value, repeat })} fault={faults.repeat} />
      )}
    </>
  );
}

type TimeProps = { value: number; onChange: (value: number) => void; fault?: string | undefined };

/** A date and time in the future. */
export function TimeField({ value, onChange, fault = faultOfTime(value, Date.now()) }: TimeProps) {
  return (
    <DateField
      label="Date and time"
      hasTime
      value={localInput(value)}
      onChange={(text) => onChange(new Date(text).getTime())}
      description="In your time zone."
      error={fault}
    />
  );
}
