import type { Schema } from "@gatehouse/contract/console";
import type { Violation } from "../../common/errors.ts";
import { checkDistinct } from "../common/distinct.ts";
import { enumerate } from "../common/enumerate.ts";
import { jsonType } from "../common/json-type.ts";
import type { ExperimentOnLayer } from "./layer-experiments.ts";

export type Parameter = Schema<"LayerParameter">;

/** Checks that names are unique, and that each default has its parameter's type. */
export function checkParameters(parameters: Parameter[], violations: Violation[]): void {
  checkDistinct(parameters, "name", "parameters", violations);
  for (const [index, { type, defaultValue }] of parameters.entries()) {
    if (jsonType(defaultValue) === type) continue;
    const property = `parameters[${index}].defaultValue`;
    violations.push({ property, errorMessage: `must be of the parameter's type, ${type}, not ${jsonType(defaultValue)}` });
  }
}

/** Rejects dropping a parameter that an experiment uses, and changing its type. */
export function checkUse(before: Parameter[], after: Parameter[], users: ExperimentOnLayer[], violations: Violation[]): void {
  const names = new Set(after.map(({ name }) => name));
  const types = new Map(before.map(({ name, type }) => [name, type]));
  const missing = before.filter(({ name }) => !names.has(name));
  const used = missing.filter(({ name }) => findUsers(name, users).length > 0);
  if (used.length > 0) {
    const lost = used.map(({ name }) => name);
    const by = [...new Set(lost.flatMap((name) => findUsers(name, users)))];
    const errorMessage = `Parameter(s) missing: [${lost.join(", ")}]. They are used by experiments in the layer: ${enumerate(by)}`;
    violations.push({ property: "parameters", errorMessage });
  }
  for (const [index, { name, type }] of after.entries()) {
    const former = types.get(name) ?? type;
    const by = former === type ? [] : findUsers(name, users);
    if (by.length === 0) continue;
    const errorMessage = `must stay ${former}, as the parameter is used by experiments in the layer: ${enumerate(by)}`;
    violations.push({ property: `parameters[${index}].type`, errorMessage });
  }
}

function findUsers(name: string, users: ExperimentOnLayer[]): string[] {
  return users.filter(({ groups }) => groups.some(({ parameterValues = {} }) => Object.hasOwn(parameterValues, name))).map(({ id }) => id);
}
