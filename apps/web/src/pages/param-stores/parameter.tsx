import { Trash2 } from "lucide-react";
import { useState } from "react";
import entity from "../../entity/entity.module.css";
import { DynamicConfigChoice, ExperimentChoice, GateChoice, LayerChoice } from "../../entity/entity-choice.tsx";
import { KIND_OPTIONS, type Kind } from "../../targeting/typed-values.ts";
import { IconButton } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { TextField } from "../../ui/field.tsx";
import type { ParameterDraft, Source } from "./param-store-draft.ts";
import { SourceParameter } from "./source-parameter.tsx";

const SOURCES = [
  { id: "static", label: "A fixed value" },
  { id: "gate", label: "A gate" },
  { id: "dynamic_config", label: "A dynamic config" },
  { id: "experiment", label: "An experiment" },
  { id: "layer", label: "A layer" },
] as const satisfies readonly { id: Source; label: string }[];

const CHOICES = { gate: GateChoice, dynamic_config: DynamicConfigChoice, experiment: ExperimentChoice, layer: LayerChoice };
const LABELS = { gate: "Gate", dynamic_config: "Dynamic config", experiment: "Experiment", layer: "Layer" };

/** The fields that depend on the source. */
const SOURCE_FIELDS = ["value", "entity", "param_name", "pass_value", "fail_value"];

type Props = {
  parameter: ParameterDraft;
  edit: (changed: Partial<ParameterDraft>) => void;
  onRemove: () => void;
  disabledReason: string | undefined;
  faultAt: (property: string) => string | undefined;
};

/** One parameter, and where its value comes from. */
export function ParameterEditor({ parameter, edit, onRemove, disabledReason, faultAt: findFault }: Props) {
  // The fields of a source that was just chosen are empty, which is no fault before the reader leaves them.
  const [isNew, setNew] = useState(false);
  const faultAt = (property: string) => (isNew && SOURCE_FIELDS.includes(property) ? undefined : findFault(property));
  const { name, source, type } = parameter;
  const isDisabled = disabledReason !== undefined;
  const Choice = source === "static" ? undefined : CHOICES[source];
  const valueField = (label: string, property: string, field: "value" | "passValue" | "failValue") => (
    <TextField
      label={label}
      value={parameter[field]}
      onChange={(text) => edit({ [field]: text })}
      isCode
      error={faultAt(property)}
      isDisabled={isDisabled}
    />
  );
  return (
    <fieldset
      className={entity.card}
      aria-label={name || "Parameter without a name"}
      onBlur={({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && setNew(false)}
    >
      <div className={entity.row}>
        <TextField label="Name" value={name} onChange={(text) => edit({ name: text })} error={faultAt("name")} isDisabled={isDisabled} />
        <Select
          label="Type"
          options={KIND_OPTIONS}
          value={type}
          onChange={(chosen) => edit({ type: chosen as Kind })}
          isDisabled={isDisabled}
        />
        <Select
          label="Comes from"
          options={SOURCES}
          value={source}
          onChange={(chosen) => {
            setNew(true);
            edit({ source: chosen as Source, entity: "" });
          }}
          isDisabled={isDisabled}
        />
        <IconButton label={`Remove ${name}`} onPress={onRemove} disabledReason={disabledReason}>
          <Trash2 aria-hidden="true" />
        </IconButton>
      </div>
      <div className={entity.row}>
        {source === "static" && valueField("Value", "value", "value")}
        {source !== "static" && Choice && (
          <Choice
            key={source}
            label={LABELS[source]}
            placeholder="Search by name"
            value={parameter.entity === "" ? null : parameter.entity}
            onChange={(id) => edit({ entity: id })}
            onClear={() => edit({ entity: "" })}
            error={faultAt("entity")}
            isDisabled={isDisabled}
          />
        )}
        {source === "gate" && (
          <>
            {valueField("Value if the user passes", "pass_value", "passValue")}
            {valueField("Value if the user fails", "fail_value", "failValue")}
          </>
        )}
        {source !== "static" && source !== "gate" && (
          <SourceParameter
            parameter={parameter}
            onChange={(field) => edit({ field })}
            error={faultAt("param_name")}
            isDisabled={isDisabled}
          />
        )}
      </div>
    </fieldset>
  );
}
