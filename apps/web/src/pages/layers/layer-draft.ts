// Edits of a layer that are not saved yet. Pure.
import type { BatchRequest, Schema, WritableSchema } from "../../api.ts";
import { changedParts, describeFields, type FieldsDraft, fieldsModel, type Stored } from "../../saving/draft-model.ts";
import type { DescribedEntity } from "../../targeting/changes.ts";
import type { FieldWords } from "../../targeting/field-changes.ts";
import { freshName } from "../../targeting/names.ts";
import { OWNER_WORDS, type OwnerFields } from "../../targeting/owner-fields.ts";
import { TEAM_WORDS, type TeamFields, toTeamFields } from "../../targeting/team-fields.ts";
import { type Kind, kindNoun, parsed, toText } from "../../targeting/typed-values.ts";
import type { Fault } from "../../targeting/types.ts";
import { READER_LOCALE } from "../../ui/locale.ts";
import { numberNotation } from "../../ui/parse-number.ts";

const NUMBERS = numberNotation(READER_LOCALE);

export type Layer = Schema<"Layer">;
export type StoredLayer = Stored<Layer>;

/** A parameter as it is edited: its value is a text. */
export type ParameterDraft = { name: string; type: Kind; text: string; description: string };

export type Fields = Pick<Layer, "name" | "description"> & TeamFields & OwnerFields & { parameters: readonly ParameterDraft[] };
export type LayerDraft = FieldsDraft<Layer, Fields>;

const WORDS: Record<keyof Fields, FieldWords> = {
  name: { label: "Name", as: "value" },
  description: { label: "Description", as: "text" },
  ...TEAM_WORDS,
  ...OWNER_WORDS,
  parameters: { label: "Parameters", as: "text" },
};

export const layerModel = fieldsModel<Layer, Fields>(WORDS, ({ name, description, team, teamID, owner, parameters }) => ({
  ...{ name, description },
  ...toTeamFields({ team, ...(teamID !== undefined && { teamID }) }),
  owner: owner ?? null,
  parameters: parameters.map((one) => ({
    name: one.name,
    type: one.type,
    text: toText(one.defaultValue, NUMBERS),
    description: one.description ?? "",
  })),
}));

export const addParameter = (parameters: readonly ParameterDraft[]): ParameterDraft[] => [
  ...parameters,
  {
    name: freshName(
      "parameter",
      parameters.map(({ name }) => name),
    ),
    type: "string",
    text: "",
    description: "",
  },
];

export function toWriteRequests(draft: LayerDraft): BatchRequest[] {
  const { parameters, ...fields } = changedParts(layerModel, draft);
  const body: WritableSchema<"LayerPatch"> = {
    ...fields,
    ...(parameters && {
      parameters: parameters.map(({ name, type, text, description }) => ({
        name,
        type,
        description,
        defaultValue: parsed(type, text, NUMBERS) ?? text,
      })),
    }),
  };
  if (Object.keys(body).length === 0) return [];
  return [{ operationId: "patchLayer", path: { id: draft.stored.entity.id }, body, ifMatch: draft.stored.etag }];
}

const difference = ({ id }: Layer, before: Fields, after: Fields): DescribedEntity[] =>
  describeFields(WORDS, { type: "layer", noun: "Layer", id }, before, after);

const toParts = (entity: Layer): Fields => layerModel.storedParts({ entity, etag: "" });

/** A text as the value is shown once it is saved. */
const savedText = ({ type, text }: ParameterDraft): string => {
  const value = parsed(type, text, NUMBERS);
  return value === undefined ? text : toText(value, NUMBERS);
};

export const describeDraft = ({ stored: { entity }, fields }: LayerDraft) =>
  difference(entity, toParts(entity), { ...fields, parameters: fields.parameters.map((one) => ({ ...one, text: savedText(one) })) });

export const describeVersions = (before: Layer, after: Layer) => difference(after, toParts(before), toParts(after));

/** The faults of the draft, each with its path in a request. */
export function faultsOfDraft({ fields: { parameters } }: LayerDraft): Fault[] {
  const names = parameters.map(({ name }) => name);
  return parameters.flatMap(({ name, type, text }, index): Fault[] => {
    const fault = (property: string, message: string): Fault => ({ property: `parameters[${index}].${property}`, message, level: "error" });
    return [
      ...(name.trim() === "" ? [fault("name", "Enter a name.")] : []),
      ...(names.indexOf(name) < index ? [fault("name", "Another parameter has this name.")] : []),
      ...(parsed(type, text, NUMBERS) === undefined ? [fault("defaultValue", `Enter ${kindNoun(type)}.`)] : []),
    ];
  });
}
