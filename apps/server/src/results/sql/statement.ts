import type { Dialect, ParameterType } from "./dialect.ts";

export type Parameter = { type: ParameterType; value: string | number | string[] | number[] };

/** A statement for one engine. */
export type Statement = { text: string; parameters: Parameter[] };

/** Collects the parameters of a statement. Equal ones share a placeholder. */
export function parametersFor(dialect: Dialect) {
  const parameters: Parameter[] = [];
  const known = new Map<string, string>();
  const bind = (type: ParameterType, value: Parameter["value"]): string => {
    const key = JSON.stringify([type, value]);
    const placeholder = known.get(key) ?? dialect.parameter(parameters.push({ type, value }), type);
    known.set(key, placeholder);
    return placeholder;
  };
  return {
    parameters,
    text: (value: string) => bind("text", value),
    texts: (values: readonly string[]) => bind("text[]", [...values]),
    integer: (value: number) => bind("bigint", value),
    integers: (values: readonly number[]) => bind("bigint[]", [...values]),
    double: (value: number) => bind("double", value),
  };
}

export type Bind = ReturnType<typeof parametersFor>;

/** The text of a statement with the values of its parameters in place. */
export function withValues(
  text: string,
  values: readonly unknown[],
  { placeholder, literal }: Pick<Dialect, "placeholder" | "literal">,
): string {
  return text.replace(placeholder, (_, position) => literal((values[Number(position) - 1] ?? "") as Parameter["value"]));
}

/** The statement with its parameters in place, to be run by hand. */
export function written({ text, parameters }: Statement, { settings, ...dialect }: Dialect): string {
  const statement = withValues(
    text,
    parameters.map(({ value }) => value),
    dialect,
  ).trim();
  const list = Object.entries(settings).map(([name, value]) => `${name} = ${dialect.literal(value)}`);
  return list.length === 0 ? statement : `${statement}\nsettings ${list.join(", ")}`;
}
