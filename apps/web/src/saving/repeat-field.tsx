import { DAY_NAMES, DAYS, type Repeat, RULES, type Rule } from "../targeting/repetition.ts";
import { Select } from "../ui/choice.tsx";
import { DateField } from "../ui/date-field.tsx";
import { Checkbox } from "../ui/field.tsx";
import { localDay } from "../ui/field-time.ts";
import styles from "./saving.module.css";

type Props = { value: Repeat; onChange: (value: Repeat) => void; fault: string | undefined };

/** On which days a scheduled change repeats, and until when. */
export function RepeatField({ value, onChange, fault }: Props) {
  const { rule, days, until } = value;
  const areDaysMissing = rule === "days" && days.length === 0;
  return (
    <>
      <Select
        label="Repeat"
        options={RULES}
        value={rule}
        onChange={(id) => onChange({ ...value, rule: id as Rule })}
        {...(rule !== "never" && {
          description: "At the same time of day in the project’s time zone. It’s applied even if the entity has changed since.",
        })}
      />
      {rule === "days" && (
        <fieldset className={styles.days}>
          <legend>Days</legend>
          {DAYS.map((day) => (
            <Checkbox
              key={day}
              isSelected={days.includes(day)}
              onChange={(isChosen) => onChange({ ...value, days: isChosen ? [...days, day] : days.filter((one) => one !== day) })}
            >
              {DAY_NAMES[day]}
            </Checkbox>
          ))}
          {areDaysMissing && <span className={styles.fault}>{fault}</span>}
        </fieldset>
      )}
      {rule !== "never" && (
        <DateField
          label="Last day (optional)"
          isOptional
          value={until === undefined ? "" : localDay(until)}
          onChange={(day) => onChange({ ...value, until: day === "" ? undefined : endOf(day) })}
          description="Leave empty to repeat until someone cancels it. The day is in your time zone."
          error={areDaysMissing ? undefined : fault}
        />
      )}
    </>
  );
}

/** The last millisecond of a day such as `2026-12-31` in the reader's time zone, ms since the epoch. */
function endOf(day: string): number {
  return new Date(`${day}T23:59:59.999`).getTime();
}
