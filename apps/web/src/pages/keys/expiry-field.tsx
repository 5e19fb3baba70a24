import { useState } from "react";
import { Select } from "../../ui/choice.tsx";
import { DateField } from "../../ui/date-field.tsx";
import { localDay } from "../../ui/field-time.ts";

const DAY_MS = 86_400_000;
const NEVER = "never";
const ON_DATE = "date";
const DAYS = [7, 30, 90, 365] as const;

type Props = {
  value: number | null;
  onChange: (time: number | null) => void;
  isDisabled?: boolean;
  error?: string | undefined;
};

/** When something expires: never, after some days, or at the end of a date in the reader's zone. */
export function ExpiryField({ value, onChange, isDisabled = false, error }: Props) {
  const [choice, setChoice] = useState(value === null ? NEVER : ON_DATE);
  const shown = value === null ? NEVER : choice === NEVER ? ON_DATE : choice;
  const choose = (id: string) => {
    setChoice(id);
    if (id === NEVER) onChange(null);
    else if (id === ON_DATE) onChange(value ?? endOfDay(Date.now() + DAYS[1] * DAY_MS));
    else onChange(Date.now() + Number(id) * DAY_MS);
  };
  return (
    <>
      <Select
        label="Expires"
        options={[
          { id: NEVER, label: "Never" },
          ...DAYS.map((days) => ({ id: String(days), label: days === 365 ? "In a year" : `In ${days} days` })),
          { id: ON_DATE, label: "On a date" },
        ]}
        value={shown}
        onChange={choose}
        isDisabled={isDisabled}
        error={shown === ON_DATE ? undefined : error}
      />
      {shown === ON_DATE && value !== null && (
        <DateField
          label="At the end of"
          value={localDay(value)}
          onChange={(date) => {
            const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
            if (date !== "") onChange(endOfDay(new Date(year, month - 1, day).getTime()));
          }}
          isDisabled={isDisabled}
          error={error}
        />
      )}
    </>
  );
}

function endOfDay(time: number): number {
  return new Date(time).setHours(23, 59, 59, 0);
}
