import { type Command, InvalidArgumentError } from "commander";
import { parse } from "yaml";
import { callApi } from "../call-api.ts";
import { CliError } from "../cli-error.ts";
import { connectTo, globalOptions, resolveProfile } from "../connection.ts";
import { openChanges, openDownload, printStream, saveStream } from "../download.ts";
import { readText } from "../files/read-text.ts";
import { type Operation, operations, requireOperation } from "../operations.ts";
import { note, print, printJson, table } from "../output.ts";

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
    .description("Call any operation of the console, evaluation, or SCIM API that takes a key, and print its response, file, or stream")
    .argument("<operationId>", "the operation, such as createGate")
    .option("-p, --param <name=value>", "a parameter of the path", collect, {})
    .option("-q, --query <name=value>", "a query parameter. Repeat it for several", collect, {})
    .option("-b, --body <body>", "the body as JSON or YAML, @file, or - for the standard input")
    .option("--if-match <etag>", "only if the entity has this ETag")
    .option("--idempotency-key <key>", "execute the write once for this key")
    .option("-o, --out <file>", "the file for what an operation downloads. Default: the standard output")
    .addHelpText(
      "after",
      "\nExample:\n  gatehouse call patchGate -p id=new_checkout --body '{\"isEnabled\": false}' -q dryRun=true\n  gatehouse call checkGate --body '{ user: { userID: ann }, gateName: new_checkout }'",
    )
    .action(async (operationId: string, options: CallOptions, command: Command) => {
      const operation = requireOperation(operationId);
      const body = options.body === undefined ? undefined : readBody(options.body);
      checkRequest(operation, options, body);
      const { json, ...connection } = globalOptions(command);
      const profile = resolveProfile(connection);
      const { client } = connectTo(profile);
      if (operation.api !== "console") {
        const answer = await callApi(profile, operation, { path: options.param, query: options.query, body });
        return answer === "" ? undefined : printAnswer(answer);
      }
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
      const found = operations.filter(isFound);
      if (globalOptions(command).json)
        return printJson(found.map(({ operationId, api, method, path, permission }) => ({ operationId, api, method, path, permission })));
      print(
        table(
          ["operation", "method", "path"],
          found.map(({ operationId, method, path }) => [operationId, method.toUpperCase(), path]),
        ),
      );
    });
}

/** Refuses what the operation would ignore, and what it lacks. */
function checkRequest(operation: Operation, { param, query, out, ifMatch, idempotencyKey }: CallOptions, given: unknown): void {
  const { operationId, parameters, body, answersJSON } = operation;
  if (ifMatch !== undefined && !operation.takesIfMatch) throw new CliError(`${operationId} takes no --if-match.`);
  if (idempotencyKey !== undefined && !operation.takesIdempotencyKey) throw new CliError(`${operationId} takes no --idempotency-key.`);
  if (out !== undefined && (answersJSON || operationId === "streamChanges" || operation.api !== "console"))
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

/** Prints JSON as other commands do, and anything else as it is. */
function printAnswer(text: string): void {
  try {
    printJson(JSON.parse(text));
  } catch {
    print(text);
  }
}

function readBody(given: string): unknown {
  const text = given === "-" ? readText("-") : given.startsWith("@") ? readText(given.slice(1)) : given;
  try {
    return parse(text);
  } catch (error) {
    throw new CliError(`The body is neither JSON nor YAML: ${(error as Error).message}`);
  }
}
