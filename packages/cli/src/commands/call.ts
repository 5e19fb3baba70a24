import { descriptions } from "@gatehouse/contract/console";
import { type Command, InvalidArgumentError } from "commander";
import { parse } from "yaml";
import { CliError } from "../cli-error.ts";
import { connect, globalOptions } from "../connection.ts";
import { openChanges, openDownload, printStream, saveStream } from "../download.ts";
import { readText } from "../files/read-text.ts";
import { note, print, printJson, table } from "../output.ts";

type Operation = {
  operationId: string;
  method: string;
  path: string;
  permission?: string;
  answersJSON: boolean;
  takesIfMatch: boolean;
  takesIdempotencyKey: boolean;
  parameters: { name: string; in: string; isRequired: boolean }[];
  body?: { isRequired: boolean };
};

const described = descriptions as unknown as Record<string, Operation>;

/** Why a key can't call an operation, by its permission. */
const WITHOUT_KEY: Record<string, string> = {
  none: "is part of signing in to the console, and takes no key",
  session: "needs the session of a person who is signed in to the console, and takes no key",
  administrator: "needs the session of an administrator who is signed in to the console, and takes no key",
};

/** The operations that a key can call, by operationId. */
const operations = new Map(
  Object.values(described)
    .filter(({ permission }) => permission === undefined || !Object.hasOwn(WITHOUT_KEY, permission))
    .map((one) => [one.operationId, one]),
);

export const operationIds = (): string[] => [...operations.keys()];

type CallOptions = { param: Values; query: Values; body?: string; ifMatch?: string; idempotencyKey?: string; out?: string };
type Values = { [name: string]: string | string[] };

/** Adds `name=value` to the values that were given before. A name that is given again has several values. */
function collect(given: string, before: Values): Values {
  const at = given.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Give it as name=value.");
  const [name, value] = [given.slice(0, at), given.slice(at + 1)];
  const earlier = before[name];
  return { ...before, [name]: earlier === undefined ? value : [earlier, value].flat() };
}

export function addCall(program: Command): void {
  program
    .command("call")
    .description("Call any operation of the console API that takes a key, and print its response, file or stream")
    .argument("<operationId>", "the operation, such as createGate")
    .option("-p, --param <name=value>", "a parameter of the path", collect, {})
    .option("-q, --query <name=value>", "a query parameter. Repeat it for several", collect, {})
    .option("-b, --body <body>", "the body as JSON or YAML, @file, or - for the standard input")
    .option("--if-match <etag>", "only if the entity has this ETag")
    .option("--idempotency-key <key>", "execute the write once for this key")
    .option("-o, --out <file>", "the file for what an operation downloads. Default: the standard output")
    .addHelpText("after", "\nExample:\n  gatehouse call patchGate -p id=new_checkout --body '{\"isEnabled\": false}' -q dryRun=true")
    .action(async (operationId: string, options: CallOptions, command: Command) => {
      const operation = requireOperation(operationId);
      const body = options.body === undefined ? undefined : readBody(options.body);
      checkRequest(operation, options, body);
      const { json, ...connection } = globalOptions(command);
      const { client } = connect(connection);
      if (operationId === "streamChanges") return printStream(await openChanges(client, options.query));
      if (!operation.answersJSON) {
        const file = await openDownload(client, operation, { query: options.query, body });
        if (options.out === undefined) return printStream(file);
        const bytes = await saveStream(file, options.out);
        if (json) return printJson({ file: options.out, bytes });
        return note(`Wrote ${bytes.toLocaleString("en")} bytes to ${options.out}.`);
      }
      const request = {
        path: options.param,
        query: options.query,
        ...(body !== undefined && (operationId === "batch" ? (body as object) : { body })),
        ...(options.ifMatch !== undefined && { ifMatch: options.ifMatch }),
        ...(options.idempotencyKey !== undefined && { idempotencyKey: options.idempotencyKey }),
      };
      const methods = client as unknown as Record<string, (request: object) => Promise<unknown>>;
      printJson(await methods[operationId]?.(request));
    });
  program
    .command("operations")
    .description("List the operations that call takes")
    .argument("[word]", "only operations whose name or path contains this")
    .action((word: string | undefined, _options, command: Command) => {
      const isFound = ({ operationId, path }: Operation) =>
        word === undefined || `${operationId} ${path}`.toLowerCase().includes(word.toLowerCase());
      const found = [...operations.values()].filter(isFound);
      if (globalOptions(command).json)
        return printJson(found.map(({ operationId, method, path, permission }) => ({ operationId, method, path, permission })));
      print(
        table(
          ["operation", "method", "path"],
          found.map(({ operationId, method, path }) => [operationId, method.toUpperCase(), path]),
        ),
      );
    });
}

function requireOperation(operationId: string): Operation {
  const operation = operations.get(operationId);
  if (operation) return operation;
  const reason = Object.hasOwn(described, operationId) ? WITHOUT_KEY[described[operationId]?.permission ?? ""] : undefined;
  if (reason !== undefined) throw new CliError(`${operationId} ${reason}.`);
  const lower = operationId.toLowerCase();
  const near = operationIds().filter((one) => one.toLowerCase().includes(lower) || lower.includes(one.toLowerCase()));
  const similar = near.length > 0 ? near : operationIds().filter((one) => distance(one.toLowerCase(), lower) <= 3);
  throw new CliError(
    `${operationId} is not an operation.`,
    similar.length > 0 ? `Did you mean ${similar.slice(0, 5).join(", ")}?` : "gatehouse operations lists them.",
  );
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

/** Refuses what the operation would ignore, and what it lacks. */
function checkRequest(operation: Operation, { param, query, out, ifMatch, idempotencyKey }: CallOptions, given: unknown): void {
  const { operationId, parameters, body, answersJSON } = operation;
  if (ifMatch !== undefined && !operation.takesIfMatch) throw new CliError(`${operationId} takes no --if-match.`);
  if (idempotencyKey !== undefined && !operation.takesIdempotencyKey) throw new CliError(`${operationId} takes no --idempotency-key.`);
  if (out !== undefined && (answersJSON || operationId === "streamChanges"))
    throw new CliError(`${operationId} does not download a file, so --out cannot be used.`);
  for (const [option, values, place] of [
    ["--param", param, "path"],
    ["--query", query, "query"],
  ] as const) {
    const known = parameters.filter((one) => one.in === place);
    const unknown = Object.keys(values).find((name) => !known.some((one) => one.name === name));
    const names = known.map(({ name }) => name).join(", ") || "none";
    if (unknown !== undefined) throw new CliError(`${operationId} has no ${option} ${unknown}.`, `It has: ${names}.`);
    const missing = known.find(({ name, isRequired }) => isRequired && values[name] === undefined);
    if (missing) throw new CliError(`${operationId} needs ${option} ${missing.name}=…`);
  }
  if (given !== undefined && !body) throw new CliError(`${operationId} has no body.`);
  if (given === undefined && body?.isRequired) throw new CliError(`${operationId} needs a --body.`);
}

function readBody(given: string): unknown {
  const text = given === "-" ? readText("-") : given.startsWith("@") ? readText(given.slice(1)) : given;
  try {
    return parse(text);
  } catch (error) {
    throw new CliError(`The body is neither JSON nor YAML: ${(error as Error).message}`);
  }
}
