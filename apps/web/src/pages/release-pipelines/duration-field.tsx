import { useState } from "react";
import { Select } from "../../ui/choice.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { DURATION_UNITS, unitOf } from "../../ui/time-text.ts";
import styles from "./release-pipelines.module.css";

type Props = {
  label: string;
  /** In ms. */
  value: number;
  onChange: (ms: number) => void;
  error: string | undefined;
};

type Unit = (typeof DURATION_UNITS)[number]["name"];

const USUAL: readonly Unit[] = ["day", "hour", "minute"];
const MAX_MS = Number.MAX_SAFE_INTEGER;

/** A length of time, as a number and a unit. Another unit keeps the number. */
export function DurationField({ label, value, onChange, error }: Props) {
  const own = unitOf(value).name;
  const [chosen, setChosen] = useState<Unit>(own);
  const ms = (name: Unit) => DURATION_UNITS.find((unit) => unit.name === name)?.ms ?? 1;
  // A value from elsewhere may not be a whole number of the chosen unit.
  const unit = value % ms(chosen) === 0 ? chosen : own;
  const names = USUAL.includes(unit) ? USUAL : [...USUAL, unit];
  return (
    <div className={styles.duration}>
      <NumberField
        label={label}
        value={value / ms(unit)}
        onChange={(count) => onChange(count * ms(unit))}
        minValue={0}
        maxValue={Math.floor(MAX_MS / ms(unit))}
        step={1}
        error={error}
      />
      <Select
        label={`Unit of “${label}”`}
        isLabelHidden
        options={names.map((id) => ({ id, label: `${id}s` }))}
        value={unit}
        onChange={(id) => {
          setChosen(id as Unit);
          onChange((value / ms(unit)) * ms(id as Unit));
        }}
      />
    </div>
  );
}
