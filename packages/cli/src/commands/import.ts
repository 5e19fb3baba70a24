import { type Command, InvalidArgumentError } from "commander";
import { parse } from "yaml";
import { CliError } from "../cli-error.ts";
import { globalOptions } from "../connection.ts";
import { readText } from "../files/read-text.ts";
import { toText, writeFolder } from "../files/write-documents.ts";
import { type ApiOptions, readApi } from "../import/api/read-api.ts";
import { withoutQuery } from "../import/api/request.ts";
import { importFlagd } from "../import/flagd.ts";
import { type Imported, isObject, type Note } from "../import/flags.ts";
import { importFlagsmith } from "../import/flagsmith.ts";
import { importGrowthBook } from "../import/growthbook.ts";
import { importLaunchDarkly } from "../import/launchdarkly.ts";
import { importStatsig } from "../import/statsig.ts";
import { importUnleash } from "../import/unleash.ts";
import { note, printJson, styled } from "../output.ts";

const IMPORTERS: { [system: string]: (given: unknown) => Imported } = {
  flagd: importFlagd,
  flagsmith: importFlagsmith,
  growthbook: importGrowthBook,
  launchdarkly: importLaunchDarkly,
  statsig: importStatsig,
  unleash: importUnleash,
};

function toSystem(name: string): string {
  if (Object.hasOwn(IMPORTERS, name)) return name;
  throw new InvalidArgumentError(`Systems: ${Object.keys(IMPORTERS).join(", ")}.`);
}

type Options = ApiOptions & { out?: string };

export function addImport(program: Command): void {
  program
    .command("import")
    .description("Convert flags of another system to files for plan and apply, with a report of what could not be carried over")
    .argument("<system>", Object.keys(IMPORTERS).join(", "), toSystem)
    .argument("[file]", "the file that the system exported, or - for standard input")
    .option("-o, --out <folder>", "a folder, which gets one file for each entity. Default: the standard output")
    .option("--from-url <url>", "read the API of the system at this address instead of a file. For flagd, the address of the file")
    .option(
      "--token-env <name>",
      "the environment variable that contains the token (default: the system's name and _TOKEN, such as UNLEASH_TOKEN)",
    )
    .option("--project <key>", "the project to read. For LaunchDarkly, Unleash, and GrowthBook")
    .option("--environment <keys...>", "the environments to read (LaunchDarkly: one or more, Unleash: exactly one)")
    .action(async (system: string, file: string | undefined, options: Options, command: Command) => {
      const { configuration, notes } = await read(system, file, options);
      const { json } = globalOptions(command);
      const { out } = options;
      const written = out === undefined ? undefined : writeFolder(out, configuration, { format: "yaml", kinds: [] }).written;
      if (json) printJson(written ? { written, notes } : { configuration, notes });
      else if (!written) process.stdout.write(toText(configuration, "yaml"));
      for (const { flag, message } of notes) note(`${styled("yellow", "!", process.stderr)} ${flag} ${message}`);
      const count = Object.values(configuration).reduce((sum, entities) => sum + entities.length, 0);
      const next = out === undefined ? "" : ` Next: gatehouse plan ${out}`;
      note(`Converted ${count} entities, with ${notes.length} notes.${next}`);
    });
}

async function read(system: string, file: string | undefined, options: Options): Promise<Imported> {
  const { fromUrl } = options;
  if ((file === undefined) === (fromUrl === undefined)) throw new CliError("Pass either a file or --from-url.");
  if (fromUrl !== undefined) {
    const notes: Note[] = [];
    const given = await readApi(system, { ...options, fromUrl }, notes);
    const { configuration, notes: others } = convert(system, given, withoutQuery(new URL(fromUrl)), { fromApi: true });
    return { configuration, notes: [...notes, ...others] };
  }
  for (const name of ["tokenEnv", "project", "environment"] as const)
    if (options[name] !== undefined) throw new CliError(`--${name === "tokenEnv" ? "token-env" : name} has no effect without --from-url.`);
  return convert(system, readFile(file as string), file as string);
}

function readFile(file: string): unknown {
  try {
    return parse(readText(file));
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`${file} is neither JSON nor YAML: ${(error as Error).message}`);
  }
}

/** @param source its file or address, for errors @throws CliError */
function convert(system: string, given: unknown, source: string, { fromApi = false } = {}): Imported {
  if (!isObject(given)) throw new CliError(`${source} is not an export of ${system}: expected an object.`);
  try {
    const imported = IMPORTERS[system]?.(given) as Imported;
    if (Object.keys(imported.configuration).length > 0 || imported.notes.length > 0) return imported;
  } catch (error) {
    throw new CliError(`${source} is not an export of ${system}: ${(error as Error).message}`);
  }
  throw new CliError(fromApi ? `${source} returned no flags.` : `${source} is not an export of ${system}: it has no flags.`);
}
