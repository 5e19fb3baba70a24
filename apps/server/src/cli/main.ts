#!/usr/bin/env node
import { parseArgs } from "node:util";
import { readConfig } from "../config.ts";
import type { Key } from "../console/keys/key.ts";
import { AppError } from "../errors.ts";
import { openDatabase } from "../open-database.ts";
import { explain } from "../operator-error.ts";
import type { Database } from "../store/database.ts";
import { createKey, listKeys, NoProject, revoke } from "./keys.ts";
import { table } from "./table.ts";

const USAGE = `Usage:
  gatehouse keys create [--name NAME]   makes a console key and prints it, this once
  gatehouse keys list                   lists the keys
  gatehouse keys revoke ID              makes a key useless for good

The database is the server's: DATABASE_URL, or the embedded one in GATEHOUSE_DATA_DIR while no server runs on it.
`;

/** The command is not one of ours. */
class UsageError extends Error {}

type Command = (database: Database) => Promise<void>;

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2));
  if (!command) {
    process.stdout.write(USAGE);
    return;
  }
  const database = await openDatabase(readConfig(), {
    onWait: (reason) => process.stderr.write(`Waiting for the database, up to 30 s: ${reason}.\n`),
  });
  await command(database).finally(() => database.close());
}

/** Undefined when help is asked for. */
function readCommand(args: string[]): Command | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const [topic, verb, ...operands] = positionals;
  const isGiven = (name: string, count: number) =>
    topic === "keys" && verb === name && operands.length === count && (values.name === undefined || name === "create");
  if (isGiven("create", 0)) return create(readName(values.name));
  if (isGiven("list", 0)) return list;
  if (isGiven("revoke", 1)) return revokeByID(operands[0] as string);
  throw new UsageError(`${args.length > 0 ? `There is no command ${args.join(" ")}.` : "Which command?"}\n\n${USAGE}`);
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { name: { type: "string" }, help: { type: "boolean", short: "h" } } });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function readName(name = "console key"): string {
  if (!/^[^\p{Cc}]{1,100}$/u.test(name)) throw new UsageError("A name has 1 to 100 characters and no control characters.");
  return name;
}

/** The key alone goes to the standard output, so that a script can take it from there. */
function create(name: string): Command {
  return async (database) => {
    const { key, secret } = await createKey(database, name);
    process.stderr.write(`Key ${key.id} (${name}) is made. It is shown this once: keep it.\n`);
    process.stdout.write(`${secret}\n`);
  };
}

const list: Command = async (database) => {
  const row = ({ id, name, createdTime, revokedTime }: Key) => [id, name, timeText(createdTime), timeText(revokedTime)];
  process.stdout.write(table(["ID", "NAME", "CREATED", "REVOKED"], (await listKeys(database)).map(row)));
};

function revokeByID(id: string): Command {
  return async (database) => {
    const { name, revokedTime } = await revoke(database, id);
    process.stdout.write(`Key ${id} (${name}) is revoked since ${timeText(revokedTime)}.\n`);
  };
}

function timeText(time: number | null): string {
  return time === null ? "-" : new Date(time).toISOString();
}

main().catch((error: unknown) => {
  process.stderr.write(explain(error, [UsageError, NoProject, AppError]));
  process.exitCode = 1;
});
