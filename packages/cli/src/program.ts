import { readFileSync } from "node:fs";
import { Command } from "commander";
import { addCall } from "./commands/call.ts";
import { addCompletions } from "./commands/completions.ts";
import { addConfiguration } from "./commands/configuration.ts";
import { addEntities } from "./commands/entities.ts";
import { addImport } from "./commands/import.ts";
import { addLogin } from "./commands/login.ts";
import { addPromote } from "./commands/promote.ts";
import { addReferences } from "./commands/references.ts";
import { addTypes } from "./commands/types.ts";

const EXIT_CODES = `
Exit codes:
  0  The command succeeded. plan and diff found no changes.
  1  The command failed.
  2  plan or diff found changes.
  3  The change needs a review. It is stored, and nothing has changed yet.

Environment variables:
  GATEHOUSE_URL      The URL of the server.
  GATEHOUSE_KEY      A console key. With it, no login is needed.
  GATEHOUSE_PROFILE  The profile to use.
  NO_COLOR           Turns colors off.`;

/** All commands. Each throws its failures. */
export function createProgram(): Command {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string };
  const program = new Command("gatehouse")
    .description("Manage gates, configs, and experiments of a Gatehouse server.")
    .version(version, "-V, --version", "Show the version")
    .option("--profile <name>", "use this profile of gatehouse login")
    .option("--url <url>", "the URL of the server")
    .option("--key <key>", "a console key")
    .option("--json", "print JSON")
    .helpCommand("help [command]", "Show the help of a command")
    .helpOption("-h, --help", "Show this help")
    .showSuggestionAfterError()
    .showHelpAfterError("Run with --help to see how it is used.")
    .configureHelp({ sortSubcommands: false, showGlobalOptions: true })
    .addHelpText("after", EXIT_CODES)
    // Inherited by the commands that are added after this line.
    .exitOverride();
  addLogin(program);
  addEntities(program);
  addConfiguration(program);
  addPromote(program);
  addTypes(program);
  addReferences(program);
  addImport(program);
  addCall(program);
  addCompletions(program);
  return program;
}
