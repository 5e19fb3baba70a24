import { Select } from "../ui/choice.tsx";
import { DateField } from "../ui/date-field.tsx";
import { localInput } from "../ui/time-text.ts";

const OPTIONS = [
  { id: "now", label: "Now" },
  { id: "later", label: "At a later time" },
];

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

type Props = {
  /** Ms since the epoch; undefined for now. */
  value: number | undefined;
  onChange: (value: number | undefined) => void;
};

/** When a change is applied. */
export function WhenField({ value, onChange }: Props) {
  return (
    <>
      <Select
        label="When"
        options={OPTIONS}
        value={value === undefined ? "now" : "later"}
        onChange={(id) => onChange(id === "now" ? undefined : nextMorning())}
        {...(value !== undefined && { description: "The server checks the change now and applies it at that time on your behalf." })}
      />
      {value !== undefined && <TimeField value={value} onChange={onChange} />}
    </>
  );
}

/** A date and time in the future. */
export function TimeField({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  return (
    <DateField
      label="Date and time"
      hasTime
      value={localInput(value)}
      onChange={(text) => onChange(new Date(text).getTime())}
      description="In your time zone."
      error={faultOfTime(value, Date.now())}
    />
  );
}
