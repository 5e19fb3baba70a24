import type { Analysis } from "../../src/results/sql/analysis.ts";

/** A row of the table of exposures. */
export type Exposure = {
  unit: string;
  group: string;
  /** Of the experiment `e` if it is not given. */
  experiment?: string;
  time: number;
  country: string;
  /** `production` if it is not given. */
  environment?: string;
  /** Other known fields of the user. */
  custom?: Record<string, unknown>;
};

/** The text of a field, if it has one. */
export function readField({ country, custom = {} }: Exposure, field: string): string | undefined {
  const value = field.startsWith("custom.") ? custom[field.slice("custom.".length)] : { country }[field];
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** The part of the dimension as rows name it: `=` before a value that is distinguished, empty for others, null without the field. */
export function dimensionPart(exposure: Exposure, { dimension }: Analysis): string | null {
  if (dimension?.of !== "values") return null;
  const value = readField(exposure, dimension.field);
  if (value === undefined) return null;
  return dimension.values.includes(value) ? `=${value}` : "";
}
