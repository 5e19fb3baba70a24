// Edits of a param store that are not saved yet. Pure.
import type { BatchRequest, Schema, WritableSchema } from "../../api.ts";
import { changedParts, type FieldsDraft, fieldsModel, type Stored } from "../../saving/draft-model.ts";
import { type DescribedEntity, entityTitle } from "../../targeting/changes.ts";
import { type FieldWords, fieldChanges } from "../../targeting/field-changes.ts";
import type { KnownNames } from "../../targeting/field-words.ts";
import { freshName } from "../../targeting/names.ts";
import { OWNER_WORDS, type OwnerFields } from "../../targeting/owner-fields.ts";
import { parameterChanges } from "../../targeting/parameter-changes.ts";
import { TEAM_WORDS, type TeamFields, toTeamFields } from "../../targeting/team-fields.ts";
import { type Kind, kindNoun, parsed, toText } from "../../targeting/typed-values.ts";
import type { Fault, Parameter } from "../../targeting/types.ts";
import { READER_LOCALE } from "../../ui/locale.ts";
import { numberNotation } from "../../ui/parse-number.ts";

const NUMBERS = numberNotation(READER_LOCALE);

export type ParamStore = Schema<"ParamStore">;
export type StoredParamStore = Stored<ParamStore>;
export type Source = Parameter["ref_type"];

/** A parameter as it is edited: its values are texts, and its reference is one id. Fields that its source does not need are kept but not sent. */
export type ParameterDraft = {
  name: string;
  source: Source;
  type: Kind;
  value: string;
  passValue: string;
  failValue: string;
  /** The gate, layer, dynamic config or experiment. */
  entity: string;
  /** The name of the parameter there. */
  field: string;
};

export type Fields = Pick<ParamStore, "description"> & TeamFields & OwnerFields & { parameters: readonly ParameterDraft[] };
export type ParamStoreDraft = FieldsDraft<ParamStore, Fields>;

const WORDS: Record<keyof Fields, FieldWords> = {
  parameters: { label: "Parameters", as: "text" },
  description: { label: "Description", as: "text" },
  ...TEAM_WORDS,
  ...OWNER_WORDS,
};

const optional = (value: unknown): string => (value === undefined ? "" : toText(value, NUMBERS));

const toDraft = (given: Parameter): ParameterDraft => ({
  name: given.name,
  source: given.ref_type,
  type: given.param_type,
  value: optional(given.value),
  passValue: optional(given.pass_value),
  failValue: optional(given.fail_value),
  entity: given.gate_name ?? given.layer_name ?? given.config_name ?? given.experiment_name ?? "",
  field: given.param_name ?? "",
});

export const paramStoreModel = fieldsModel<ParamStore, Fields>(WORDS, ({ description, parameters, team, teamID, owner = null }) => ({
  ...{ description, ...toTeamFields({ team, teamID }), owner },
  parameters: parameters.map(toDraft),
}));

export const addParameter = (parameters: readonly ParameterDraft[]): ParameterDraft[] => [
  ...parameters,
  {
    name: freshName(
      "parameter",
      parameters.map(({ name }) => name),
    ),
    ...{ source: "static", type: "string", value: "", passValue: "", failValue: "", entity: "", field: "" },
  },
];

/** Only the fields that the contract accepts for the source. */
function toParameter({ name, source, type, value, passValue, failValue, entity, field }: ParameterDraft): Parameter {
  const of = (text: string) => parsed(type, text, NUMBERS) ?? text;
  const shared = { name, ref_type: source, param_type: type };
  switch (source) {
    case "static":
      return { ...shared, value: of(value) };
    case "gate":
      return { ...shared, gate_name: entity, pass_value: of(passValue), fail_value: of(failValue) };
    case "layer":
      return { ...shared, layer_name: entity, param_name: field };
    case "dynamic_config":
      return { ...shared, config_name: entity, param_name: field };
    case "experiment":
      return { ...shared, experiment_name: entity, param_name: field };
  }
}

export function toWriteRequests(draft: ParamStoreDraft): BatchRequest[] {
  const { parameters, ...fields } = changedParts(paramStoreModel, draft);
  const body: WritableSchema<"ParamStoreUpdate"> = { ...fields, ...(parameters && { parameters: parameters.map(toParameter) }) };
  if (Object.keys(body).length === 0) return [];
  return [{ operationId: "updateParamStore", path: { name: draft.stored.entity.name }, body, ifMatch: draft.stored.etag }];
}

type DescribedContent = Pick<ParamStore, "description" | "parameters" | "team" | "teamID" | "owner">;

function difference(id: string, before: DescribedContent, after: DescribedContent, names?: KnownNames): DescribedEntity[] {
  const { parameters: _, ...words } = WORDS;
  const changes = [...parameterChanges(before.parameters, after.parameters, names), ...fieldChanges(words, before, after)];
  return changes.length === 0 ? [] : [{ entityType: "param_store", entityID: id, title: entityTitle("param_store", id), changes }];
}

/** @param names of the entities that parameters come from, by their IDs */
export const describeDraft = ({ stored: { entity }, fields }: ParamStoreDraft, names?: KnownNames) =>
  difference(entity.id, entity, { ...fields, parameters: fields.parameters.map(toParameter) }, names);

export const describeVersions = (before: ParamStore, after: ParamStore) => difference(after.id, before, after);

/** The faults of the draft, each with its path in a request. */
export function faultsOfDraft({ fields: { parameters } }: ParamStoreDraft): Fault[] {
  const names = parameters.map(({ name }) => name);
  return parameters.flatMap(({ name, source, type, value, passValue, failValue, entity, field }, index): Fault[] => {
    const fault = (property: string, message: string): Fault => ({ property: `parameters[${index}].${property}`, message, level: "error" });
    const typed = (property: string, text: string) =>
      parsed(type, text, NUMBERS) === undefined ? [fault(property, `Enter ${kindNoun(type)}.`)] : [];
    return [
      ...(name.trim() === "" ? [fault("name", "Enter a name.")] : []),
      ...(names.indexOf(name) < index ? [fault("name", "Another parameter has this name.")] : []),
      ...(source === "static" ? typed("value", value) : entity === "" ? [fault("entity", "Choose one.")] : []),
      ...(source === "gate" ? [...typed("pass_value", passValue), ...typed("fail_value", failValue)] : []),
      ...(source !== "static" && source !== "gate" && field.trim() === "" ? [fault("param_name", "Enter the name of the parameter.")] : []),
    ];
  });
}
