import { descriptions as consoleOperations } from "@gatehouse/contract/console";
import { descriptions as evaluationOperations } from "@gatehouse/contract/evaluation";
import { descriptions as scimOperations } from "@gatehouse/contract/scim";
import { CliError } from "./cli-error.ts";

/** An operation of one of the server's three APIs. */
export type Operation = {
  api: "console" | "evaluation" | "scim";
  operationId: string;
  method: string;
  path: string;
  permission?: string;
  opensBy: "key" | "token";
  answersJSON: boolean;
  takesIfMatch: boolean;
  takesIdempotencyKey: boolean;
  parameters: { name: string; in: string; isRequired: boolean }[];
  body?: { isRequired: boolean };
};

/** Why a key can't call an operation, by its permission. */
const WITHOUT_KEY: Record<string, string> = {
  none: "is part of signing in to the console, and takes no key",
  session: "needs a console session of a person, and takes no key",
  administrator: "needs a console session of an administrator, and takes no key",
};

/** The operations that return a URL with the token that another operation needs. */
const RETURNS_URL: Record<string, string> = { getIDListFile: "listIDLists", streamFlagChanges: "evaluateFlags" };

const every = (
  [
    ["console", consoleOperations],
    ["evaluation", evaluationOperations],
    ["scim", scimOperations],
  ] as const
).flatMap(([api, described]) => Object.values(described).map((one): Operation => ({ ...(one as unknown as Omit<Operation, "api">), api })));

/** Each operation of the contract, by its operationId. */
const all = new Map(every.map((one) => [one.operationId, one]));

/** Why `call` can't send an operation. Undefined if it can. */
function refusalOf({ operationId, permission, opensBy }: Operation): string | undefined {
  if (permission !== undefined && Object.hasOwn(WITHOUT_KEY, permission)) return WITHOUT_KEY[permission];
  if (opensBy === "key") return undefined;
  const source = Object.hasOwn(RETURNS_URL, operationId) ? RETURNS_URL[operationId] : "another operation";
  return `takes a token in its URL instead of a key. Call ${source}, and open the URL that it returns`;
}

/** The operations that `call` can send. */
export const operations: readonly Operation[] = every.filter((one) => refusalOf(one) === undefined);

/** @throws CliError that says why the operation can't be called, or names similar ones */
export function requireOperation(operationId: string): Operation {
  const operation = all.get(operationId);
  if (!operation) throw unknownOperation(operationId);
  const reason = refusalOf(operation);
  if (reason !== undefined) throw new CliError(`${operationId} ${reason}.`);
  return operation;
}

function unknownOperation(operationId: string): CliError {
  const lower = operationId.toLowerCase();
  const ids = operations.map((one) => one.operationId);
  const near = ids.filter((one) => one.toLowerCase().includes(lower) || lower.includes(one.toLowerCase()));
  const similar = near.length > 0 ? near : ids.filter((one) => distance(one.toLowerCase(), lower) <= 3);
  const advice = similar.length > 0 ? `Did you mean ${similar.slice(0, 5).join(", ")}?` : "gatehouse operations lists them.";
  return new CliError(`${operationId} is not an operation.`, advice);
}

/** The number of characters to insert, delete or replace that make one text the other (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, from] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, to] of [...b].entries()) {
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, (row[j] ?? 0) + (from === to ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
