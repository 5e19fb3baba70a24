import { createInterface } from "node:readline/promises";
import { ConsoleApiError, type Schema } from "@gatehouse/client";
import { type Command, InvalidArgumentError, Option } from "commander";
import { CliError, EXIT } from "../cli-error.ts";
import { type Connection, connect, globalOptions } from "../connection.ts";
import { type Configuration, type Documents, readDocuments } from "../files/documents.ts";
import { KINDS, type Kind } from "../files/kinds.ts";
import { type Format, toText, writeFolder } from "../files/write-documents.ts";
import { note, print, printJson, styled } from "../output.ts";
import { toPlanText } from "../show-plan.ts";

export type Selection = { kinds?: Kind[]; ids?: string[]; tags?: string[] };
type ApplyOptions = { prune?: boolean; impact?: number; yes?: boolean; reason?: string; at?: number; bypassReview?: boolean };

/** Adds the options that select entities. */
export function withSelection(command: Command): Command {
  return command
    .addOption(new Option("--kinds <kinds...>", "only entities of these kinds").choices(KINDS))
    .option("--ids <ids...>", "only entities with these IDs, or names if they have no ID")
    .option("--tags <tags...>", "only entities with all of these tags");
}

export async function exportFrom({ client }: Connection, { kinds, ids, tags }: Selection): Promise<Configuration> {
  const query = { ...(kinds && { kinds }), ...(ids && { ids }), ...(tags && { tags }) };
  return (await client.exportProject({ query })).data as Configuration;
}

export function addConfiguration(program: Command): void {
  withSelection(program.command("export"))
    .description("Write the configuration of the project to a folder or file, or to the standard output")
    .option("-o, --out <path>", "a folder, which gets one file for each entity, or a .yaml or .json file")
    .addOption(new Option("--format <format>", "the format").choices(["yaml", "json"]).default("yaml"))
    .action(async (options: Selection & { out?: string; format: Format }, command: Command) => {
      const global = globalOptions(command);
      const configuration = await exportFrom(connect(global), options);
      await writeExport(configuration, options, global.json ?? false);
    });
  program
    .command("plan")
    .description("Show what apply would change. Exits with 2 if there are changes")
    .argument("<paths...>", "files or folders, or - for the standard input")
    .option("--prune", "include removals of entities that the files lack, of the kinds that they have")
    .option("--impact <users>", "the number of recent users to compute the impact for; 0 skips it", toCount, 1000)
    .action(async (paths: string[], options: ApplyOptions, command: Command) => {
      const global = globalOptions(command);
      const documents = readDocuments(paths);
      const plan = await planWith(connect(global), documents, options);
      if (global.json) printJson(plan);
      else print(toPlanText(plan));
      if (plan.data.length > 0) process.exitCode = EXIT.changes;
    });
  program
    .command("apply")
    .description("Make the project equal to files, in one transaction. Asks first if a person runs it")
    .argument("<paths...>", "files or folders, or - for the standard input")
    .option("--prune", "archive or delete entities that the files lack, of the kinds that they have")
    .option("-y, --yes", "do not ask")
    .option("--reason <text>", "the reason, for the audit log and the review")
    .option("--at <time>", "apply it at this time, such as 2030-01-31T09:00Z", toTime)
    .option("--bypass-review", "apply it without its review. Needs --reason and the permission")
    .action(async (paths: string[], options: ApplyOptions, command: Command) => {
      const global = globalOptions(command);
      await applyTo(connect(global), readDocuments(paths), options, global.json ?? false);
    });
}

async function writeExport(
  configuration: Configuration,
  { out, format, kinds, ids, tags }: Selection & { out?: string; format: Format },
  json: boolean,
) {
  if (out === undefined) return process.stdout.write(toText(configuration, json ? "json" : format));
  const { writeFileSync } = await import("node:fs");
  const [, extension] = /\.(yaml|yml|json)$/.exec(out) ?? [];
  if (extension !== undefined) {
    writeFileSync(out, toText(configuration, extension === "json" ? "json" : "yaml"));
    if (json) printJson({ written: [out], removed: [] });
    return note(`Wrote ${out}.`);
  }
  const isWhole = ids === undefined && tags === undefined;
  const { written, removed } = writeFolder(out, configuration, { format, kinds: isWhole ? (kinds ?? KINDS) : [] });
  if (json) printJson({ written, removed });
  note(`Wrote ${written.length} changed files to ${out}, and removed ${removed.length}.`);
}

/** @throws CliError whose lines name the places in the files */
export async function planWith({ client }: Connection, documents: Documents, { prune = false, impact = 1000 }: ApplyOptions) {
  const query = { dryRun: true, ...(impact > 0 && { impact }) };
  const request = { body: { configuration: documents.configuration, prune }, query };
  return client.applyProject(request).catch((error: unknown) => {
    throw withPlaces(error, documents);
  });
}

/** Shows the plan, asks if a person can answer, and applies it. */
export async function applyTo(connection: Connection, documents: Documents, options: ApplyOptions, json: boolean): Promise<void> {
  const { prune = false, yes = false, reason, at: applyAt, bypassReview } = options;
  const isAsking = !yes && !json && process.stdin.isTTY && process.stdout.isTTY;
  if (isAsking) {
    const plan = await planWith(connection, documents, options);
    print(toPlanText(plan));
    if (plan.data.length === 0) return;
    if (!(await confirm("Apply these changes?"))) throw new CliError("Canceled. The project has not changed.");
  }
  const query = { ...(reason !== undefined && { reason }), ...(bypassReview && { bypassReview }) };
  const request = { body: { configuration: documents.configuration, prune }, query };
  const refuse = (error: unknown) => {
    throw withPlaces(error, documents);
  };
  if (applyAt !== undefined) {
    const { data } = await connection.client.schedule.applyProject({ ...request, query: { ...query, applyAt } }).catch(refuse);
    if (json) return printJson(data);
    return print(`${styled("green", "✓")} Scheduled for ${new Date(data.applyAt).toISOString()} as ${data.id}.`);
  }
  const applied = await connection.client.applyProject(request).catch(refuse);
  if (json) return printJson(applied.data);
  for (const { kind, id, action } of applied.data) print(`${styled("green", "✓")} ${kind}/${id} ${DONE[action]}`);
  print(applied.data.length === 0 ? "No changes. The project is equal to the configuration." : `Applied ${applied.data.length} changes.`);
}

const DONE: Record<Schema<"ConfigurationChange">["action"], string> = { create: "created", update: "updated", remove: "removed" };

/** The error with the file and line of each violation. */
function withPlaces(error: unknown, { placeOf }: Documents): unknown {
  if (!(error instanceof ConsoleApiError)) return error;
  const lines = error.errors.map(({ property, errorMessage }) => `\n  ${placeOf(property) ?? property} ${errorMessage}`);
  const [first = ""] = error.message.split("\n");
  return lines.length === 0 ? error : new CliError(`${first.replace(/^\w+: \d+ /, "")}${lines.join("")}`);
}

async function confirm(question: string): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await prompt.question(`${question} (y/N) `)).trim());
  } finally {
    prompt.close();
  }
}

function toCount(text: string): number {
  if (!/^\d{1,4}$/.test(text) || Number(text) > 1000) throw new InvalidArgumentError("Give a number from 0 to 1000.");
  return Number(text);
}

function toTime(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new InvalidArgumentError("Give a time such as 2030-01-31T09:00Z.");
  return time;
}
