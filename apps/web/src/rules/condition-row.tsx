import { Trash2 } from "lucide-react";
import { memo } from "react";
import { readExtra, withExtra, withOperator, withType } from "../targeting/condition-draft.ts";
import { CONDITION_TYPES, effectiveOperator, offeredOperators, offeredTypes, operatorLabel } from "../targeting/condition-types.ts";
import { removeCondition, updateCondition } from "../targeting/rule-draft.ts";
import type { Condition, ConditionType, Fault, Operator } from "../targeting/types.ts";
import { IconButton } from "../ui/button.tsx";
import { ComboBox, Select } from "../ui/choice.tsx";
import { TextField } from "../ui/field.tsx";
import type { EditRules, Place } from "./edits.ts";
import styles from "./rules.module.css";
import { ValueInput } from "./value-input.tsx";

type Props = {
  condition: Condition;
  /** Index of the condition in the rule, from 0. */
  index: number;
  /** The key of the rule. */
  ruleKey: string;
  place: Place;
  edit: EditRules;
  /** Faults of the rule, and the start of the condition's property in them. */
  faults: readonly Fault[];
  prefix: string;
};

/** A condition of a rule. Of many conditions, only the changed ones are drawn again. */
export const ConditionRow = memo(function ConditionRow({ condition, index, ruleKey, place, edit, faults, prefix }: Props) {
  const number = index + 1;
  const onChange = (changed: Condition) => edit((draft) => updateCondition(draft, ruleKey, index, () => changed));
  const onRemove = () => edit((draft) => removeCondition(draft, ruleKey, index));
  const faultAt = (property: string) => faults.find((fault) => fault.property === `${prefix}${property}`)?.message;
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
        label="Field"
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
          value={readExtra(condition)}
          onChange={(name) => onChange(withExtra(condition, name))}
          error={faultAt(extra.property)}
        />
      )}
      {operators.length > 0 ? (
        <Select
          label="Operator"
          isLabelHidden
          options={operators.map((id) => ({ id, label: operatorLabel(condition.type, id) }))}
          value={effectiveOperator(condition) ?? null}
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
});
