import { Plus, Trash2 } from "lucide-react";
import entity from "../../entity/entity.module.css";
import { Button, IconButton } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { GRADER_TYPES, type Grader, type GraderType, MAX_GRADERS, newGrader } from "./graders.ts";

type Props = {
  graders: readonly Grader[];
  onChange: (graders: readonly Grader[]) => void;
  /** The fault of a field, such as `graders[0].name`. */
  faultAt: (property: string) => string | undefined;
};

/** The graders of an evaluation. Fields of other types are kept while the form is open. */
export function GradersField({ graders, onChange, faultAt }: Props) {
  const set = (index: number, changed: Partial<Grader>) =>
    onChange(graders.map((one, at) => (at === index ? { ...one, ...changed } : one)));
  return (
    <>
      {graders.map((grader, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a grader whose name is edited has no identity.
        <fieldset key={index} className={entity.card} aria-label={`Grader ${index + 1}`}>
          <div className={entity.row}>
            <TextField
              label="Grader name"
              value={grader.name}
              onChange={(name) => set(index, { name })}
              error={faultAt(`graders[${index}].name`)}
            />
            <Select
              label="Grader type"
              options={GRADER_TYPES}
              value={grader.type}
              onChange={(type) => set(index, { type: type as GraderType })}
            />
            <IconButton
              label={`Remove ${grader.name}`}
              onPress={() => onChange(graders.filter((_, at) => at !== index))}
              disabledReason={graders.length === 1 ? "An evaluation needs a grader." : undefined}
            >
              <Trash2 aria-hidden="true" />
            </IconButton>
          </div>
          <GraderFields grader={grader} set={(changed) => set(index, changed)} faultAt={(field) => faultAt(`graders[${index}].${field}`)} />
        </fieldset>
      ))}
      <div>
        <Button
          onPress={() => onChange([...graders, newGrader(graders)])}
          disabledReason={graders.length >= MAX_GRADERS ? `Use at most ${MAX_GRADERS} graders.` : undefined}
        >
          <Plus aria-hidden="true" />
          Add grader
        </Button>
      </div>
    </>
  );
}

type FieldsProps = { grader: Grader; set: (changed: Partial<Grader>) => void; faultAt: (field: keyof Grader) => string | undefined };

function GraderFields({ grader, set, faultAt }: FieldsProps) {
  switch (grader.type) {
    case "equals":
    case "contains":
      return (
        <>
          <TextField
            label="Expected text"
            isCode
            value={grader.value ?? ""}
            onChange={(value) => set({ value })}
            placeholder="{{expected}}"
            description="Leave it empty to use the row’s expected output. Leave it empty to use the row’s expected output. Use placeholders such as {{order}} to insert the row’s inputs."
            error={faultAt("value")}
          />
          <Checkbox isSelected={grader.ignoreCase ?? false} onChange={(ignoreCase) => set({ ignoreCase })}>
            Ignore case
          </Checkbox>
        </>
      );
    case "json_schema":
      return (
        <TextField
          label="JSON Schema"
          isCode
          rows={6}
          value={grader.schema ?? ""}
          onChange={(schema) => set({ schema })}
          error={faultAt("schema")}
        />
      );
    case "regex":
      return (
        <TextField
          label="Regular expression"
          isCode
          value={grader.pattern ?? ""}
          onChange={(pattern) => set({ pattern })}
          error={faultAt("pattern")}
        />
      );
    case "prompt":
      return (
        <TextField
          label="Instructions for the grading model"
          rows={5}
          value={grader.prompt ?? ""}
          onChange={(prompt) => set({ prompt })}
          description="Describe a good output. Use {{output}}, {{expected}}, and placeholders for the row’s inputs, such as {{order}}."
          error={faultAt("prompt")}
        />
      );
  }
}
