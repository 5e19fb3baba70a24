// Graders as the form edits them. Pure.
import type { Schema } from "../../api.ts";
import { freshName } from "../../targeting/names.ts";

export type Grader = Schema<"PromptGrader">;
export type GraderType = Grader["type"];

export const MAX_GRADERS = 10;

export const GRADER_TYPES = [
  { id: "equals", label: "Equals expected text" },
  { id: "contains", label: "Contains expected text" },
  { id: "json_schema", label: "Matches JSON Schema" },
  { id: "regex", label: "Matches regular expression" },
  { id: "prompt", label: "Scored by a model" },
] as const satisfies readonly { id: GraderType; label: string }[];

/** The fields that the contract accepts for each type. */
const FIELDS = {
  equals: ["value", "ignoreCase"],
  contains: ["value", "ignoreCase"],
  json_schema: ["schema"],
  regex: ["pattern"],
  prompt: ["prompt"],
} as const satisfies Record<GraderType, readonly (keyof Grader)[]>;

/** A new grader, with a name that no other one has. */
export const newGrader = (graders: readonly Grader[]): Grader => ({
  name: freshName(
    "Grader",
    graders.map(({ name }) => name),
  ),
  type: "equals",
});

/** The grader as it is sent: with the fields of its type that have a value. */
export function toGrader(grader: Grader): Grader {
  const fields = FIELDS[grader.type].flatMap((field) => {
    const value = grader[field];
    return value === undefined || value === "" || value === false ? [] : [[field, value] as const];
  });
  return { name: grader.name.trim(), type: grader.type, ...Object.fromEntries(fields) };
}
