/** A violation of a schema: the index of the value, a JSON pointer into it, a property there if one is concerned, and the message. */
export type Finding = { index: number; pointer: string; name?: string; message: string };

/** The violations of the values, or the fault of the schema itself. */
export type Outcome = { findings: Finding[] } | { fault: string };

/** Checks values against a JSON Schema of draft 2020-12. @throws AppError unavailable if too many checks are queued */
export type CheckSchema = (schema: string, values: unknown[]) => Promise<Outcome>;
