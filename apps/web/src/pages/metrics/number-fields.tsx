import type { ReactNode } from "react";
import { NumberField } from "../../ui/number-field.tsx";
import { toPercent, toShare } from "./definition-words.ts";

/** As many digits as a number has, since the field writes back the number it shows. */

type Props = {
  label: string;
  description?: ReactNode;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  min?: number;
  max?: number;
  /** Only whole numbers. */
  isWhole?: boolean;
  unit?: string;
  error: string | undefined;
  isDisabled: boolean;
};

/** A number that may be left out. */
export function OptionalNumber({ value, onChange, min, max, isWhole, ...field }: Props) {
  return (
    <NumberField
      {...field}
      isOptional
      value={value ?? Number.NaN}
      onChange={(number) => onChange(Number.isNaN(number) ? undefined : number)}
      {...(min !== undefined && { minValue: min })}
      {...(max !== undefined && { maxValue: max })}
      {...(isWhole && { step: 1 })}
    />
  );
}

/** A share that may be left out, in percent. */
export function OptionalShare({ value, onChange, ...field }: Omit<Props, "min" | "max" | "unit" | "isWhole">) {
  return (
    <OptionalNumber
      {...field}
      value={value === undefined ? undefined : toPercent(value)}
      onChange={(percentage) => onChange(percentage === undefined ? undefined : toShare(percentage))}
      {...{ min: 0, max: 100, unit: "%" }}
    />
  );
}
