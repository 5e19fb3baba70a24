import { Trash2 } from "lucide-react";
import { extraOf, withExtra, withOperator, withType } from "../targeting/condition-draft.ts";
import { CONDITION_TYPES, offeredOperators, offeredTypes, operatorLabel, operatorOf } from "../targeting/condition-types.ts";
import type { Condition, ConditionType, Operator } from "../targeting/types.ts";
import { IconButton } from "../ui/button.tsx";
import { ComboBox, Select } from "../ui/choice.tsx";
import { TextField } from "../ui/field.tsx";
import styles from "./rules.module.css";
import { ValueInput } from "./value-input.tsx";

type Props = {
  condition: Condition;
  number: number;
  place: "flag" | "segment";
  onChange: (condition: Condition) => void;
  onRemove: () => void;
  /** What is wrong, by the property of the condition. */
  faultAt: (property: string) => string | undefined;
};

export function ConditionRow({ condition, number, place, onChange, onRemove, faultAt }: Props) {
  const { extra } = CONDITION_TYPES[condition.type];
  const types = offeredTypes(place).flatMap(({ group, types: each }) =>
    each.map((id) => ({ id, label: CONDITION_TYPES[id].label, hint: group })),
  );
  const known = types.some(({ id }) => id === condition.type)
    ? types
    : [{ id: condition.type, label: CONDITION_TYPES[condition.type].label }, ...types];
  const operators = offeredOperators(condition);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a grid in every browser.
    <div role="group" aria-label={`Condition ${number}`} className={`${styles.condition} ${extra ? styles.withExtra : ""}`}>
      <ComboBox
        label="What is compared"
        isLabelHidden
        options={known}
        value={condition.type}
        onChange={(type) => onChange(withType(condition, type as ConditionType))}
        error={faultAt("type")}
      />
      {extra && (
        <TextField
          label={extra.label}
          isLabelHidden
          placeholder={extra.label}
          value={extraOf(condition)}
          onChange={(name) => onChange(withExtra(condition, name))}
          error={faultAt(extra.property)}
        />
      )}
      {operators.length > 0 ? (
        <Select
          label="How it is compared"
          isLabelHidden
          options={operators.map((id) => ({ id, label: operatorLabel(condition.type, id) }))}
          value={operatorOf(condition) ?? null}
          onChange={(operator) => onChange(withOperator(condition, operator as Operator))}
          error={faultAt("operator")}
        />
      ) : (
        <span />
      )}
      <ValueInput
        key={`${condition.type} ${condition.operator}`}
        condition={condition}
        onChange={onChange}
        error={faultAt("targetValue")}
      />
      <IconButton label={`Remove condition ${number}`} onPress={onRemove}>
        <Trash2 aria-hidden="true" />
      </IconButton>
    </div>
  );
}
