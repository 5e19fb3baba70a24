import { Plus, Trash2 } from "lucide-react";
import entity from "../../entity/entity.module.css";
import { Button, IconButton } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { TextField } from "../../ui/field.tsx";
import { type CriterionDraft, newCriterion } from "./metric-draft.ts";
import { CONDITIONS, CRITERION_TYPES, type Criterion } from "./metric-words.ts";

type Props = {
  criteria: readonly CriterionDraft[];
  onChange: (criteria: CriterionDraft[]) => void;
  disabledReason: string | undefined;
  faultAt: (property: string) => string | undefined;
};

const TYPES = Object.entries(CRITERION_TYPES).map(([id, label]) => ({ id, label }));
const COMPARISONS = Object.entries(CONDITIONS).map(([id, { label }]) => ({ id, label }));

/** The conditions that an event has to meet, all of them. */
export function CriteriaFields({ criteria, onChange, disabledReason, faultAt }: Props) {
  const isDisabled = disabledReason !== undefined;
  const edit = (index: number, changed: Partial<CriterionDraft>) =>
    onChange(criteria.map((one, at) => (at === index ? { ...one, ...changed } : one)));
  return (
    <>
      {criteria.map(({ type, column, condition, values }, index) => {
        const { takes } = CONDITIONS[condition];
        const title = `Condition ${index + 1}`;
        const place = `criteria[${index}]`;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is known by its place alone, since all of it changes.
          <fieldset key={index} className={entity.row} aria-label={title}>
            <Select
              label="Only if"
              options={TYPES}
              value={type}
              onChange={(id) => edit(index, { type: id as Criterion["type"] })}
              isDisabled={isDisabled}
            />
            {type !== "value" && (
              <TextField
                label="Field"
                isCode
                value={column}
                onChange={(text) => edit(index, { column: text })}
                error={faultAt(`${place}.column`)}
                isDisabled={isDisabled}
              />
            )}
            <Select
              label="Comparison"
              options={COMPARISONS}
              value={condition}
              onChange={(id) => edit(index, { condition: id as Criterion["condition"] })}
              error={faultAt(`${place}.condition`)}
              isDisabled={isDisabled}
            />
            {takes !== "none" && (
              <TextField
                label={takes === "one" ? "Value" : "Values, one in a line"}
                {...(takes === "some" && { rows: 2 })}
                value={values.join("\n")}
                onChange={(text) => edit(index, { values: valuesIn(text, takes) })}
                error={faultAt(`${place}.values`)}
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
        <Button look="quiet" onPress={() => onChange([...criteria, newCriterion()])} disabledReason={disabledReason}>
          <Plus aria-hidden="true" />
          Add condition
        </Button>
      </div>
    </>
  );
}

/** The lines of a text. An empty text has none, and the last line may still be empty while it is typed. */
function valuesIn(text: string, takes: "one" | "some"): string[] {
  if (text === "") return [];
  return takes === "one" ? [text] : text.split("\n");
}
