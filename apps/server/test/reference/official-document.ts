import { Ajv } from "ajv";
import type { SweptOperation } from "../support/operations.ts";
import official from "./official-operations.json" with { type: "json" };

// The file has the facts of the reference's OpenAPI document. Its `about` says which, and from where.

export type OfficialOperation = {
  method: string;
  path: string;
  status: number;
  mediaType: string;
  requiredQuery?: string[];
  /** The JSON Schema of the body of a successful response. */
  answer: object;
};

export const officialOperations: OfficialOperation[] = official.operations;

const SCHEMAS = "official";
const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema({ $id: SCHEMAS, schemas: official.schemas });

/** Differences between a body and what the document says about it: `/data/*\/teamID must be string` */
export function differencesFrom({ answer }: OfficialOperation, body: unknown): string[] {
  const validate = ajv.compile(JSON.parse(JSON.stringify(answer).replaceAll('"#/', `"${SCHEMAS}#/`)));
  validate(body);
  const found = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath.replaceAll(/\/\d+/g, "/*")} ${message}`);
  return [...new Set(found)].toSorted();
}

/** `GET /console/v1/gates/{}`: parameters may have other names. */
export function toRoute({ method, path }: Pick<SweptOperation, "method" | "path">): string {
  return `${method} ${path.replaceAll(/\{\w+\}/g, "{}")}`;
}
