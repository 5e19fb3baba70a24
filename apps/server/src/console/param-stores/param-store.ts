import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { invalid, type Violation } from "../../common/errors.ts";
import { checkDistinct } from "../common/distinct.ts";
import { jsonType } from "../common/json-type.ts";
import { namedEach, namedLabels, namedOne } from "../common/named.ts";
import { checkPathName } from "../common/path-name.ts";
import { checkNoPromptName } from "../common/prompt-name.ts";
import { created, modified } from "../common/stamp.ts";
import type { Reference } from "../reference.ts";

export type ParamStore = Schema<"ParamStore">;
export type Parameter = Schema<"ParamStoreParameter">;
type ParamStoreCreate = WritableSchema<"ParamStoreCreate">;
type ParamStoreUpdate = WritableSchema<"ParamStoreUpdate">;
type Detail = Exclude<keyof Parameter, "name" | "ref_type" | "param_type">;

/** The fields that each ref_type requires. Fields that only another ref_type requires are rejected. */
const NEEDED = {
  static: ["value"],
  gate: ["gate_name", "pass_value", "fail_value"],
  layer: ["layer_name", "param_name"],
  dynamic_config: ["config_name", "param_name"],
  experiment: ["experiment_name", "param_name"],
} satisfies Record<Parameter["ref_type"], Detail[]>;

/** The field of each ref_type with its source. */
const SOURCES = {
  gate: "gate_name",
  layer: "layer_name",
  dynamic_config: "config_name",
  experiment: "experiment_name",
} satisfies Record<Exclude<Parameter["ref_type"], "static">, Detail>;

const DETAILS: Detail[] = [...new Set(Object.values(NEEDED).flat())];
const VALUES = ["value", "pass_value", "fail_value"] as const;

const TYPE_TEXT = {
  boolean: "a boolean",
  number: "a number",
  string: "a string",
  object: "an object",
  array: "an array",
} satisfies Record<Parameter["param_type"], string>;

/** Creates a param store. Only the name is required. @throws AppError invalid_request with every violation */
export function newParamStore(given: ParamStoreCreate, context: Context): ParamStore {
  const { name, displayName = name, description = "", targetAppIDs = [], tags = [], team = null, teamID = null, parameters = [] } = given;
  const owned = given.owner !== undefined && { owner: given.owner };
  const violations: Violation[] = [];
  checkPathName(name, violations);
  checkNoPromptName(name, violations);
  checkParameters(parameters, violations);
  if (violations.length > 0) throw invalid(violations);
  return { id: name, name, displayName, description, targetAppIDs, tags, team, teamID, ...owned, parameters, ...created(context) };
}

/** The store with the given fields changed. @throws AppError invalid_request with every violation under `parameters` */
export function changeParamStore(store: ParamStore, given: ParamStoreUpdate, context: Context): ParamStore {
  const violations: Violation[] = [];
  checkParameters(given.parameters ?? [], violations);
  if (violations.length > 0) throw invalid(violations);
  return { ...store, ...given, ...modified(store, context) };
}

/** The store's references: the sources of its parameters, and its labels. */
export function namedByParamStore({ parameters, tags, targetAppIDs, teamID }: ParamStore): Reference[] {
  return [
    ...parameters.flatMap((parameter, index) => namedByParameter(parameter, `parameters[${index}]`)),
    ...namedLabels({ tags, teamID }),
    ...namedEach("target_app", targetAppIDs, "targetAppIDs"),
  ];
}

function namedByParameter({ ref_type, ...parameter }: Parameter, place: string): Reference[] {
  if (ref_type === "static") return [];
  const property = SOURCES[ref_type];
  return namedOne(ref_type, parameter[property], `${place}.${property}`);
}

function checkParameters(parameters: Parameter[], violations: Violation[]): void {
  checkDistinct(parameters, "name", "parameters", violations);
  for (const [index, parameter] of parameters.entries()) checkParameter(parameter, `parameters[${index}]`, violations);
}

/** Checks beyond the schema that a parameter fits its ref_type and param_type. `place` is such as `parameters[0]`. */
export function checkParameter(parameter: Parameter, place: string, violations: Violation[]): void {
  const { ref_type, param_type } = parameter;
  const refuse = (detail: Detail, errorMessage: string) => violations.push({ property: `${place}.${detail}`, errorMessage });
  const needed: Detail[] = NEEDED[ref_type];
  for (const detail of DETAILS) {
    const isGiven = parameter[detail] !== undefined;
    if (needed.includes(detail) && !isGiven) refuse(detail, `is required with ref_type ${ref_type}`);
    if (!needed.includes(detail) && isGiven) refuse(detail, `must be left out with ref_type ${ref_type}`);
  }
  for (const detail of VALUES) {
    const isMistyped = parameter[detail] !== undefined && jsonType(parameter[detail]) !== param_type;
    if (needed.includes(detail) && isMistyped) refuse(detail, `must be ${TYPE_TEXT[param_type]} with param_type ${param_type}`);
  }
}
