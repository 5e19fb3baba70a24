import { AUTOMATIC_UNIT, UNIT_NAMES } from "../../results/units.ts";
import { Select } from "../../ui/choice.tsx";
import { TextField } from "../../ui/field.tsx";
import type { Fields } from "./metric-draft.ts";

type Props = {
  value: Fields["valueUnit"];
  onChange: (unit: NonNullable<Fields["valueUnit"]>) => void;
  isDisabled?: boolean;
  error: string | undefined;
};

const CURRENCY = "currency";
const OPTIONS = [...Object.entries(UNIT_NAMES).map(([id, label]) => ({ id, label })), { id: CURRENCY, label: "Currency" }];
const USUAL_CURRENCY = "USD";

/** The unit in which the metric's values are shown. A currency has a code. */
export function UnitField({ value = AUTOMATIC_UNIT, onChange, isDisabled = false, error }: Props) {
  const isCurrency = !(value in UNIT_NAMES);
  return (
    <>
      <Select
        label="Value unit"
        options={OPTIONS}
        value={isCurrency ? CURRENCY : value}
        onChange={(id) => onChange(id === CURRENCY ? USUAL_CURRENCY : id)}
        description={
          value === AUTOMATIC_UNIT ? "Funnels and yes/no metrics are shown in percent, other metrics without a unit." : undefined
        }
        isDisabled={isDisabled}
      />
      {isCurrency && (
        <TextField
          label="Currency code"
          description="Three letters, such as EUR."
          value={value}
          onChange={(code) => onChange(code.toUpperCase())}
          isDisabled={isDisabled}
          error={error}
        />
      )}
    </>
  );
}
