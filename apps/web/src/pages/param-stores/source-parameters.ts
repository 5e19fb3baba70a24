// The parameters of the entities that a param store can read. Pure.
import type { Schema } from "../../api.ts";

type Values = Readonly<Record<string, unknown>>;

const keysOf = (values: readonly Values[]): string[] => [...new Set(values.flatMap((value) => Object.keys(value)))].toSorted();

export const ofExperiment = ({ groups }: Pick<Schema<"Experiment">, "groups">): string[] =>
  keysOf(groups.map(({ parameterValues }) => parameterValues ?? {}));

export const ofConfig = ({ defaultValue, rules }: Pick<Schema<"DynamicConfig">, "defaultValue" | "rules">): string[] =>
  keysOf(
    [
      defaultValue ?? {},
      ...rules.flatMap(({ returnValue, variants }) => [returnValue, ...(variants ?? []).map((one) => one.returnValue)]),
    ].map((value) => value ?? {}),
  );

export const ofLayer = ({ parameters }: Pick<Schema<"Layer">, "parameters">): string[] => parameters.map(({ name }) => name).toSorted();

/** What is wrong with the name of a parameter, if the entity's are known: “Promise” has no parameter “promiss”. */
export function missingParameter(source: { name: string; parameters: readonly string[] } | undefined, field: string): string | undefined {
  if (source === undefined || field.trim() === "" || source.parameters.includes(field)) return undefined;
  return `“${source.name}” has no parameter “${field}”.`;
}
