import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import entity from "../entity/entity.module.css";
import type { FieldProps } from "../entity/field-props.ts";
import { equal } from "../targeting/equal.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Select } from "../ui/choice.tsx";
import { TextField } from "../ui/field.tsx";
import { READER_LOCALE } from "../ui/locale.ts";
import { numberNotation } from "../ui/parse-number.ts";
import { type CriterionDraft, MAX_CRITERIA, newCriterion, toShownValue, toValue } from "./criteria-draft.ts";
import { CONDITIONS, CRITERION_TYPES, type Criterion } from "./criteria-words.ts";

type Props = FieldProps & {
  criteria: readonly CriterionDraft[];
  onChange: (criteria: CriterionDraft[]) => void;
  /** The path of the list in a request. */
  place: string;
  /** Events, or rows: of a metric source, or of an origin that has only columns. */
  kind?: "events" | "source" | "columns";
};

const NUMBERS = numberNotation(READER_LOCALE);
const TYPES = Object.entries(CRITERION_TYPES).map(([id, label]) => ({ id, label }));
const TYPES_OF_SOURCE = TYPES.map((type) => (type.id === "metadata" ? { ...type, label: "Column" } : type));
const COMPARISONS = Object.entries(CONDITIONS).map(([id, { label }]) => ({ id, label }));

/** The conditions that an event or a row has to meet, all of them. */
export function CriteriaFields({ criteria, onChange, place, kind = "events", disabledReason, faultAt }: Props) {
  const isDisabled = disabledReason !== undefined;
  const fullReason = criteria.length >= MAX_CRITERIA ? `Use at most ${MAX_CRITERIA} conditions.` : undefined;
  const edit = (index: number, changed: Partial<CriterionDraft>) =>
    onChange(criteria.map((one, position) => (position === index ? { ...one, ...changed } : one)));
  return (
    <>
      {criteria.map(({ type, column, condition, values }, index) => {
        const { takes } = CONDITIONS[condition];
        const title = `Condition ${index + 1}`;
        const at = `${place}[${index}]`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place alone, since all of it changes.
          <fieldset key={index} className={entity.row} aria-label={title}>
            {kind !== "columns" && (
              <Select
                label="Only if"
                options={kind === "source" ? TYPES_OF_SOURCE : TYPES}
                value={type}
                onChange={(id) => edit(index, { type: id as Criterion["type"] })}
                error={faultAt(`${at}.type`)}
                isDisabled={isDisabled}
              />
            )}
            {type !== "value" && (
              <TextField
                label={kind === "columns" ? "Column" : "Field"}
                isCode
                value={column}
                onChange={(text) => edit(index, { column: text })}
                error={faultAt(`${at}.column`)}
                isDisabled={isDisabled}
              />
            )}
            <Select
              label="Comparison"
              options={COMPARISONS}
              value={condition}
              onChange={(id) => {
                const chosen = id as Criterion["condition"];
                edit(index, { condition: chosen, values: values.map((value) => toValue(chosen, value, NUMBERS)) });
              }}
              error={faultAt(`${at}.condition`)}
              isDisabled={isDisabled}
            />
            {takes !== "none" && (
              <ValuesField
                takes={takes}
                condition={condition}
                values={values}
                onChange={(typed) => edit(index, { values: typed })}
                error={faultAt(`${at}.values`)}
                isDisabled={isDisabled}
              />
            )}
            <IconButton
              label={`Remove ${title.toLowerCase()}`}
              onPress={() => onChange(criteria.toSpliced(index, 1))}
              disabledReason={disabledReason}
            >
              <Trash2 aria-hidden="true" />
            </IconButton>
          </fieldset>
        );
      })}
      <div>
        <Button look="quiet" onPress={() => onChange([...criteria, newCriterion()])} disabledReason={disabledReason ?? fullReason}>
          <Plus aria-hidden="true" />
          Add condition
        </Button>
      </div>
    </>
  );
}

type ValuesProps = {
  takes: "one" | "some";
  condition: Criterion["condition"];
  values: readonly string[];
  onChange: (values: string[]) => void;
  error: string | undefined;
  isDisabled: boolean;
};

/** Values as lines. Empty lines, which the text may have while someone types, are not values. */
function ValuesField({ takes, condition, values, onChange, error, isDisabled }: ValuesProps) {
  const [typed, setTyped] = useState("");
  const toValues = (text: string) => valuesIn(text, takes).map((one) => toValue(condition, one, NUMBERS));
  return (
    <TextField
      label={takes === "one" ? "Value" : "Values, one per line"}
      {...(takes === "some" && { rows: 2 })}
      value={equal(toValues(typed), values) ? typed : values.map((one) => toShownValue(condition, one, NUMBERS)).join("\n")}
      onChange={(text) => {
        setTyped(text);
        onChange(toValues(text));
      }}
      error={error}
      isDisabled={isDisabled}
    />
  );
}

function valuesIn(text: string, takes: "one" | "some"): string[] {
  const values = takes === "one" ? [text] : text.split("\n");
  return values.filter((one) => one !== "");
}
