import { Plus, Trash2 } from "lucide-react";
import entity from "../../entity/entity.module.css";
import type { EditProps } from "../../entity/entity-page.tsx";
import { setFields } from "../../saving/draft-model.ts";
import { Section } from "../../shell/page.tsx";
import { KIND_OPTIONS, type Kind } from "../../targeting/typed-values.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { TextField } from "../../ui/field.tsx";
import { Empty } from "../../ui/notice.tsx";
import { addParameter, type LayerDraft, type ParameterDraft } from "./layer-draft.ts";

/** The parameters that applications read from the layer, and their values outside of its experiments. */
export function ParametersTab({ draft, onChange, disabledReason, faults }: EditProps<LayerDraft>) {
  const { parameters } = draft.fields;
  const isDisabled = disabledReason !== undefined;
  const set = (changed: readonly ParameterDraft[]) => onChange(setFields(draft, { parameters: changed }));
  const edit = (index: number, changed: Partial<ParameterDraft>) =>
    set(parameters.map((one, at) => (at === index ? { ...one, ...changed } : one)));
  const button = (
    <Button onPress={() => set(addParameter(parameters))} disabledReason={disabledReason}>
      <Plus aria-hidden="true" />
      Add parameter
    </Button>
  );
  return (
    <Section
      title="Parameters"
      description="Your code reads these from the layer. Users outside experiments get the default values."
      actions={parameters.length > 0 && button}
    >
      {parameters.length === 0 && (
        <Empty title="No parameters" action={button}>
          Add a parameter for your code to read.
        </Empty>
      )}
      {parameters.map((parameter, index) => {
        const faultAt = (property: string) => faults.find((fault) => fault.property === `parameters[${index}].${property}`)?.message;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a parameter whose name is edited has no identity.
          <fieldset key={index} className={entity.card} aria-label={parameter.name || "Parameter without a name"}>
            <div className={entity.row}>
              <TextField
                label="Name"
                value={parameter.name}
                onChange={(name) => edit(index, { name })}
                error={faultAt("name")}
                isDisabled={isDisabled}
              />
              <Select
                label="Type"
                options={KIND_OPTIONS}
                value={parameter.type}
                onChange={(type) => edit(index, { type: type as Kind })}
                isDisabled={isDisabled}
                error={faultAt("type")}
              />
              <TextField
                label="Default value"
                value={parameter.text}
                onChange={(text) => edit(index, { text })}
                isCode
                error={faultAt("defaultValue")}
                isDisabled={isDisabled}
              />
              <TextField
                label="Description"
                value={parameter.description}
                onChange={(description) => edit(index, { description })}
                error={faultAt("description")}
                isDisabled={isDisabled}
              />
              <IconButton
                label={`Remove ${parameter.name}`}
                onPress={() => set(parameters.filter((_, at) => at !== index))}
                disabledReason={disabledReason}
              >
                <Trash2 aria-hidden="true" />
              </IconButton>
            </div>
          </fieldset>
        );
      })}
    </Section>
  );
}
