/** What does not satisfy a schema: the value by its index, the place in it, and what is wrong there. `name` is a property at that place. */
export type Finding = { index: number; pointer: string; name?: string; message: string };

/** Where values do not satisfy a schema, or what is wrong with the schema itself. */
export type Outcome = { findings: Finding[] } | { fault: string };

/** Checks values against a JSON Schema of draft 2020-12. @throws AppError unavailable if too many checks wait */
export type CheckSchema = (schema: string, values: unknown[]) => Promise<Outcome>;
