import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { Schema, WritableSchema } from "@gatehouse/client";
import type { Command } from "commander";
import { CliError } from "../cli-error.ts";
import { connect, globalOptions } from "../connection.ts";
import type { Configuration } from "../files/documents.ts";
import { print, printJson, styled } from "../output.ts";
import { findReferences, type Named } from "../references/find.ts";
import { exportFrom } from "./configuration.ts";

type ReferencesOptions = { repository?: string; branch?: string; commit?: string; link?: string; dryRun?: boolean };

/** The kinds whose entities code reads by name, with the type that the server calls them. */
const TYPES = {
  gates: "gate",
  dynamicConfigs: "dynamic_config",
  experiments: "experiment",
  layers: "layer",
  autotunes: "autotune",
  paramStores: "param_store",
  prompts: "prompt",
} as const satisfies Partial<Record<keyof Configuration, Schema<"CodeReferenceType">>>;

/** The most references of one upload, as the contract says. */
const MAX_REFERENCES = 5_000;

export function addReferences(program: Command): void {
  program
    .command("references")
    .description("Find the code that uses gates, configs, and experiments, and show it in the console")
    .argument("[folder]", "the repository", ".")
    .option("--repository <name>", "its name. Default: from the remote of Git")
    .option("--branch <name>", "the branch. Default: the current one")
    .option("--commit <id>", "the commit. Default: the current one")
    .option("--link <template>", "the address of a line, such as https://git.example.com/shop/blob/{commit}/{file}#L{line}")
    .option("--dry-run", "print the references, and upload nothing")
    .action(async (folder: string, options: ReferencesOptions, command: Command) => {
      const global = globalOptions(command);
      const connection = connect(global);
      if (!existsSync(folder)) throw new CliError(`${folder} does not exist.`);
      const place = describeRepository(folder, options);
      const configuration = await exportFrom(connection, { kinds: Object.keys(TYPES) as (keyof typeof TYPES)[] });
      const found = findReferences(folder, listFiles(folder), toNamed(configuration));
      if (found.length > MAX_REFERENCES)
        throw new CliError(
          `Found ${found.length.toLocaleString("en")} references, more than ${MAX_REFERENCES.toLocaleString("en")}.`,
          "Scan a folder of the repository.",
        );
      const references = found.map((one) => ({ ...one, ...linkTo(one, place, options.link) }));
      if (options.dryRun) {
        if (global.json) return printJson({ ...place, references });
        for (const { file, line, entityID, text } of references) print(`${file}:${line}  ${entityID}  ${styled("dim", text)}`);
        return print(`${references.length} references. Nothing was uploaded.`);
      }
      const { data } = await connection.client.updateCodeReferences({ body: { ...place, references } });
      if (global.json) return printJson(data);
      print(`${styled("green", "✓")} ${data.count} references of ${data.repository}@${data.branch} were uploaded.`);
    });
}

/** The entities by the name that code has. An ID that several kinds share is found for each of them. */
function toNamed(configuration: Configuration): Named[] {
  return Object.entries(TYPES).flatMap(([kind, entityType]) =>
    (configuration[kind as keyof typeof TYPES] ?? []).map(({ id, name }) => ({ entityType, entityID: String(id ?? name) })),
  );
}

function git(folder: string, ...args: string[]): string | undefined {
  try {
    return execFileSync("git", ["-C", folder, ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 2 ** 28,
    }).trim();
  } catch {
    return undefined;
  }
}

type Place = { repository: string; branch: string; commit?: string };

function describeRepository(folder: string, { repository, branch, commit }: ReferencesOptions): Place {
  const remote = git(folder, "remote", "get-url", "origin");
  const [, fromRemote] = /[/:]([^/:]+\/[^/]+?)(?:\.git)?\/?$/.exec(remote ?? "") ?? [];
  const name = repository ?? fromRemote;
  if (name === undefined) throw new CliError("The repository has no remote called origin.", "State its name with --repository.");
  const current = git(folder, "rev-parse", "--abbrev-ref", "HEAD");
  const known = branch ?? (current === "HEAD" ? undefined : current);
  if (known === undefined) throw new CliError("The folder is on no branch.", "State it with --branch.");
  const id = commit ?? git(folder, "rev-parse", "HEAD");
  return { repository: name, branch: known, ...(id !== undefined && { commit: id }) };
}

/** The files that Git knows. */
function listFiles(folder: string): string[] {
  const listed = git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard");
  if (listed === undefined)
    throw new CliError(`${folder} is not in a Git repository.`, "gatehouse references scans the files that Git knows.");
  return listed.split("\0").filter((name) => name !== "");
}

type Found = WritableSchema<"CodeReferencesUpdate">["references"][number];

function linkTo({ file, line }: Found, { commit, branch }: Place, template: string | undefined): { url?: string } {
  if (template === undefined) return {};
  const values: Record<string, string> = {
    file: file.split("/").map(encodeURIComponent).join("/"),
    line: String(line),
    commit: commit ?? branch,
    branch,
  };
  return { url: template.replaceAll(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole) };
}
