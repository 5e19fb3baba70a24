import { Trash2 } from "lucide-react";
import { memo, useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import { useAttributes } from "../shell/attributes.ts";
import {
  adviceOnField,
  attributeOf,
  chosenField,
  customFieldOption,
  fieldOptions,
  offeredFields,
  type SeenAttribute,
} from "../targeting/attributes.ts";
import { newCondition, readExtra, withExtra, withOperator, withType } from "../targeting/condition-draft.ts";
import { CONDITION_TYPES, effectiveOperator, offeredOperators, offeredTypes, operatorLabel } from "../targeting/condition-types.ts";
import { equal } from "../targeting/equal.ts";
import { adviceOnPlace } from "../targeting/ip-ranges.ts";
import { removeCondition, updateCondition } from "../targeting/rule-draft.ts";
import type { Condition, Fault, Operator } from "../targeting/types.ts";
import { IconButton } from "../ui/button.tsx";
import { ComboBox, type Option, Select } from "../ui/choice.tsx";
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
export default memo(function ConditionRow({ condition, index, ruleKey, place, edit, faults, prefix }: Props) {
  const number = index + 1;
  const change = useCallback(
    (by: (condition: Condition) => Condition) => edit((draft) => updateCondition(draft, ruleKey, index, by)),
    [edit, ruleKey, index],
  );
  const onChange = (changed: Condition) => change(() => changed);
  const onRemove = () => edit((draft) => removeCondition(draft, ruleKey, index));
  // A condition that was just added is incomplete. It says so once the focus goes elsewhere.
  const [isNew, setIsNew] = useState(() => equal(condition, newCondition(condition.type)));
  const faultAt = (property: string) =>
    faults.find((fault) => fault.property === `${prefix}${property}` && !(isNew && fault.level === "error"))?.message;
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isNew) return;
    const onFocus = ({ target }: FocusEvent) => {
      // The lists of choices are elsewhere in the page.
      if (target instanceof Element && !row.current?.contains(target) && !target.closest("[role=listbox]")) setIsNew(false);
    };
    document.addEventListener("focusin", onFocus);
    return () => document.removeEventListener("focusin", onFocus);
  }, [isNew]);
  const { extra } = CONDITION_TYPES[condition.type];
  const attributes = useAttributes();
  const attribute = attributeOf(condition, attributes);
  const fields = useMemo(() => fieldOptions(attributes), [attributes]);
  const onType = useCallback(
    (option: string) => {
      const { type, field } = chosenField(option);
      change((now) => (field === undefined ? withType(now, type) : withExtra(withType(now, type), field)));
    },
    [change],
  );
  const onOperator = useCallback((operator: string) => change((now) => withOperator(now, operator as Operator)), [change]);
  const { type, operator } = condition;
  const options = useMemo(() => [...typeOptions(place, type), ...fields], [place, type, fields]);
  const operators = useMemo(
    () => offeredOperators({ type, operator }).map((id) => ({ id, label: operatorLabel(type, id) })),
    [type, operator],
  );
  const advice = adviceOnPlace(condition);
  const adviceID = useId();
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a grid in every browser. */}
      <div
        role="group"
        aria-label={`Condition ${number}`}
        aria-describedby={advice && adviceID}
        className={`${styles.condition} ${extra ? styles.withExtra : ""} ${operators.length === 0 ? styles.withoutOperator : ""}`}
        ref={row}
      >
        <FieldChoice
          label="Field"
          isLabelHidden
          options={options}
          optionFor={customFieldOption}
          value={condition.type}
          onChange={onType}
          error={faultAt("type")}
        />
        {extra?.kind === "field" && (
          <FieldName
            name={readExtra(condition)}
            onChange={(name) => onChange(withExtra(condition, name))}
            error={faultAt(extra.property)}
            attributes={attributes}
            attribute={attribute}
          />
        )}
        {extra && extra.kind !== "field" && (
          <TextField
            label={extra.label}
            isLabelHidden
            placeholder={extra.label}
            value={readExtra(condition)}
            onChange={(name) => onChange(withExtra(condition, name))}
            error={faultAt(extra.property)}
          />
        )}
        {operators.length > 0 && (
          <OperatorChoice
            label="Operator"
            isLabelHidden
            options={operators}
            value={effectiveOperator(condition) ?? null}
            onChange={onOperator}
            error={faultAt("operator")}
          />
        )}
        <ValueInput
          key={`${condition.type} ${condition.operator}`}
          condition={condition}
          attribute={attribute}
          onChange={onChange}
          error={faultAt("targetValue")}
        />
        <IconButton label={`Remove condition ${number}`} onPress={onRemove}>
          <Trash2 aria-hidden="true" />
        </IconButton>
      </div>
      {advice && (
        <p id={adviceID} className={styles.advice}>
          {advice}
        </p>
      )}
    </>
  );
});

/** The choices, which a key in the condition's value leaves as they are. */
const FieldChoice = memo(ComboBox);
const OperatorChoice = memo(Select);

/** The types to choose from, with the condition's own. */
function typeOptions(place: Place, own: Condition["type"]): Option[] {
  const types = offeredTypes(place).flatMap(({ group, types: each }) =>
    each.map((id) => ({ id, label: CONDITION_TYPES[id].label, hint: group })),
  );
  return types.some(({ id }) => id === own) ? types : [{ id: own, label: CONDITION_TYPES[own].label }, ...types];
}

type FieldNameProps = {
  name: string;
  onChange: (name: string) => void;
  error: string | undefined;
  attributes: readonly SeenAttribute[];
  /** The field with this name, if the project knows it. */
  attribute: SeenAttribute | undefined;
};

/** The name of a custom field. The browser offers those that the project knows. */
function FieldName({ name, onChange, error, attributes, attribute }: FieldNameProps) {
  const id = useId();
  const names = useMemo(() => offeredFields(attributes).map((field) => field.id), [attributes]);
  const advice = adviceOnField(name, attribute);
  const description = advice ?? attribute?.description;
  return (
    <div>
      <TextField
        label="Field name"
        isLabelHidden
        placeholder="Field name"
        value={name}
        onChange={onChange}
        error={error}
        list={id}
        {...(description && { description })}
      />
      <datalist id={id}>
        {names.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
    </div>
  );
}
