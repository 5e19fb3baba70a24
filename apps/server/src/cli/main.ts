#!/usr/bin/env node
import { once } from "node:events";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { openClickHouse } from "../clickhouse/clickhouse.ts";
import { MoveFailed, moveEvents } from "../clickhouse/move-events.ts";
import { ADMIN_COMMAND } from "../common/commands.ts";
import { DEFAULT_PROJECT } from "../common/context.ts";
import { AppError, listDetails } from "../common/errors.ts";
import type { Unit } from "../results/sql/unit-events.ts";
import { callerFolder } from "../startup/caller-folder.ts";
import { type Config, readConfig } from "../startup/config.ts";
import { openDatabase } from "../startup/open-database.ts";
import { explain } from "../startup/operator-error.ts";
import type { Anchor } from "../store/change-log/verify-audit-log.ts";
import type { Database } from "../store/database/database.ts";
import { welcomeLink } from "../tokens/welcome-link.ts";
import { NotShareable, shareEvents, unshareEvents } from "../warehouse/share-events.ts";
import { AuditError, auditHeads, readAnchor, verifyAuditLog } from "./audit.ts";
import { BackupFailed, backUp } from "./backup.ts";
import { FaultyKey, type KeyInput, readKey } from "./key-input.ts";
import { createKey, deactivate, type ListedKey, listKeys, NoProject } from "./keys.ts";
import { createAdministratorToken, createResetToken, removeFactors } from "./people.ts";
import { table } from "./table.ts";
import { deleteUnitData, downloadUnitData, withEvents } from "./unit-data.ts";

const USAGE = `Usage: ${ADMIN_COMMAND} COMMAND

  keys create [OPTION…]   creates a key and prints it, this once
      --type TYPE            console (if not given), server or client
      --description TEXT     what it is for
      --environment NAME     limits it to an environment; repeat it for several
      --target-app NAME      limits it to a target app; repeat it for several
      --allowed-address ADDRESS
                             an address or a range such as 10.0.0.0/8 that can use it;
                             repeat it for several. None given: everywhere
      --scope SCOPE          of a console key: omni_read_only, omni_read_write, can_access_keys,
                             mcp_write; repeat it for several. None given: omni_read_write
                             and can_access_keys.
                             Of a client key: client_download_config_specs
  keys list               lists the keys, newest first
  keys revoke ID          deactivates a key for good
  people administrator    prints a link that makes a new person an administrator
  people reset EMAIL      prints a link with which a person sets another password
  people remove-second-factors EMAIL
                          removes a person's authenticator app, passkeys, and recovery codes, and ends their
                          sessions and one-time links
  backup FILE             writes a backup of the embedded database to a file (.tar.gz) while the server runs;
                          to restore it, unpack it into an empty GATEHOUSE_DATA_DIR
  audit verify [OPTION…]  compares every entry of the audit log with its seal, and names those that were
                          altered, removed or added outside the server; exits with 1 if there are any
      --anchor LINE          a line of audit head that was kept elsewhere; repeat it for several
  audit head              prints the last seal of each project: PROJECT NUMBER SEAL
  events move             moves events and exposures from the database to the ClickHouse at
                          GATEHOUSE_EVENTS_URL, counts both, and can be repeated if it is interrupted
  events share --project ID --login NAME
                          lets a login of Postgres read the events of a project, and refuses one that can
                          do anything else; the documentation says how a project connects them (Warehouses)
  events unshare --project ID
                          ends that for every login
  units download TYPE ID [--project ID]
                          prints everything that is stored about a user or another unit as JSON lines; TYPE is
                          its unit ID type, such as userID
  units delete TYPE ID [--project ID]
                          deletes it, prints what was deleted, and the configuration that contains the id;
                          can be repeated. The project is default if not given

A link works once, within 72 hours. It begins with GATEHOUSE_PUBLIC_URL; without that, only its token is printed.
The commands of audit need GATEHOUSE_AUDIT_KEY and GATEHOUSE_PREVIOUS_AUDIT_KEYS, as the server has them.
keys needs them too if the server has them.
The database is the server's: DATABASE_URL, or the embedded one in GATEHOUSE_DATA_DIR while no server runs on it (except for backup).
`;

/** The command or an option is unknown. */
class UsageError extends Error {}

type Command = (database: Database, config: Config) => Promise<void>;
/** A command that opens no database. */
type OfflineCommand = { run(config: Config): Promise<void> };

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2));
  if (!command) {
    process.stdout.write(USAGE);
    return;
  }
  const config = readConfig();
  if ("run" in command) return command.run(config);
  const database = await openDatabase(config, {
    onWait: (reason) => process.stderr.write(`Waiting for the database, up to 30 s: ${reason}.\n`),
    onUnsigned: (warning) => process.stderr.write(`${warning}\n`),
    onReport: (message) => process.stderr.write(`${message}\n`),
  });
  await command(database, config).finally(() => database.close());
}

/** Undefined if the user asks for help. */
function readCommand(args: string[]): Command | OfflineCommand | undefined {
  const { values, positionals } = parse(args);
  const { help, ...options } = values;
  const { anchor, project, login, ...keyOptions } = options;
  if (help) return undefined;
  const [topic, verb, ...operands] = positionals;
  const isGiven = (name: string, count: number) =>
    `${topic} ${verb}` === name &&
    operands.length === count &&
    (name === "keys create" ? anchor === undefined && project === undefined && login === undefined : Object.keys(options).length === 0);
  const hasOnly = (name: string, allowed: string[]) =>
    `${topic} ${verb}` === name && operands.length === 0 && Object.keys(options).every((option) => allowed.includes(option));
  const isOfUnit = (name: string) =>
    `${topic} ${verb}` === name && operands.length === 2 && Object.keys(options).every((option) => option === "project");
  const [operand = ""] = operands;
  if (topic === "backup" && verb !== undefined && operands.length === 0 && Object.keys(options).length === 0) {
    return { run: (config) => backUpTo(resolve(callerFolder(), verb), config) };
  }
  if (hasOnly("audit verify", ["anchor"])) return verify((anchor ?? []).map(readAnchor));
  if (isGiven("audit head", 0)) return head;
  if (isGiven("keys create", 0)) return create(readKey(keyOptions));
  if (isGiven("keys list", 0)) return list;
  if (isGiven("keys revoke", 1)) return revoke(operand);
  if (isGiven("events move", 0)) return move;
  if (hasOnly("events share", ["project", "login"]) && project !== undefined && login !== undefined) return share(project, login);
  if (hasOnly("events unshare", ["project"]) && project !== undefined) return unshare(project);
  if (isOfUnit("units download")) return downloadUnit(toUnit(operands), project);
  if (isOfUnit("units delete")) return deleteUnit(toUnit(operands), project);
  if (isGiven("people administrator", 0)) return printLink(createAdministratorToken);
  if (isGiven("people reset", 1)) return printLink((database) => createResetToken(database, operand));
  if (isGiven("people remove-second-factors", 1)) return removeSecondFactors(operand);
  throw new UsageError(`${args.length > 0 ? `Unknown command: ${args.join(" ")}.` : "Which command?"}\n\n${USAGE}`);
}

function parse(args: string[]) {
  const options = {
    type: { type: "string" },
    description: { type: "string" },
    environment: { type: "string", multiple: true },
    "target-app": { type: "string", multiple: true },
    "allowed-address": { type: "string", multiple: true },
    scope: { type: "string", multiple: true },
    anchor: { type: "string", multiple: true },
    project: { type: "string" },
    login: { type: "string" },
    help: { type: "boolean", short: "h" },
  } as const;
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

/** Prints only the secret to standard output, so that scripts can capture it. */
function create(given: KeyInput): Command {
  return async (database) => {
    const { key, secret } = await createKey(database, given);
    process.stderr.write(`Key ${key.id} (${key.description}) is made. It is shown this once: keep it.\n`);
    process.stdout.write(`${secret}\n`);
  };
}

/** Prints only the link to standard output, as above; only the token if the server's URL is unknown. */
function printLink(make: (database: Database) => Promise<string>): Command {
  return async (database, { publicUrl }) => {
    const token = await make(database);
    process.stderr.write(
      publicUrl === undefined
        ? "The token works once, within 72 hours. Open the page /welcome#TOKEN of your server with it.\n"
        : "The link works once, within 72 hours. Open it in a browser.\n",
    );
    process.stdout.write(`${publicUrl === undefined ? token : welcomeLink(publicUrl, token)}\n`);
  };
}

async function backUpTo(file: string, config: Config): Promise<void> {
  await backUp(config, file);
  process.stderr.write(`The backup is in ${file}. To restore it, unpack it into an empty GATEHOUSE_DATA_DIR and start the server.\n`);
}

function removeSecondFactors(email: string): Command {
  return async (database) => {
    await removeFactors(database, email);
    process.stderr.write(`The second factors of ${email} are removed. Their password is now enough to sign in.\n`);
  };
}

const list: Command = async (database) => {
  const row = ({ key, lastUsed }: ListedKey) => [
    key.id,
    key.hint ?? "-",
    key.description,
    key.expiresTime !== null && key.expiresTime <= Date.now() ? "expired" : key.status,
    new Date(key.createdTime).toISOString(),
    lastUsed ?? "-",
  ];
  process.stdout.write(table(["ID", "KEY", "DESCRIPTION", "STATUS", "CREATED", "LAST USED"], (await listKeys(database)).map(row)));
};

function revoke(id: string): Command {
  return async (database) => {
    const { id: known, description, lastModifiedTime } = await deactivate(database, id);
    process.stdout.write(`Key ${known} (${description}) is deactivated since ${new Date(lastModifiedTime).toISOString()}.\n`);
  };
}

/** Prints a line for each entry that is not as a server wrote it. */
function verify(anchors: Anchor[]): Command {
  return async (database) => {
    let found = 0;
    const checked = await verifyAuditLog(database, anchors, ({ projectID, seq, fault, detail }) => {
      found += 1;
      process.stdout.write(`${projectID} ${seq} was ${fault}: ${detail}\n`);
    });
    for (const [projectID, { checked: count, dropped, before }] of checked) {
      process.stderr.write(
        `Project ${projectID}: ${count} entries compared with their seals, ${before} of them from before there was a key; retention dropped ${dropped}.\n`,
      );
    }
    if (found > 0) process.exitCode = 1;
  };
}

const head: Command = async (database) => {
  for (const { projectID, seq, seal } of await auditHeads(database)) process.stdout.write(`${projectID} ${seq} ${seal}\n`);
};

/** Prints a line for each part that was copied. */
const move: Command = async (database, { eventsUrl }) => {
  if (eventsUrl === undefined) throw new UsageError("GATEHOUSE_EVENTS_URL is not set. It says where the events go.");
  const clickhouse = openClickHouse(eventsUrl);
  const onCopied = (what: string, rows: number) => void process.stdout.write(`${what}: ${rows} rows\n`);
  await moveEvents({ database, clickhouse, now: Date.now(), onCopied }).finally(() => clickhouse.close());
  process.stderr.write("The events are in ClickHouse. Start every server with GATEHOUSE_EVENTS_URL.\n");
};

function share(projectID: string, login: string): Command {
  return async (database, { databaseUrl }) => {
    if (databaseUrl === undefined) throw new NotShareable("The embedded database has no logins. Only a Postgres at DATABASE_URL has.");
    await shareEvents(database, projectID, login);
    process.stderr.write(`The login ${login} can read the events of project ${projectID}.\n`);
  };
}

function unshare(projectID: string): Command {
  return async (database) => {
    const wasShared = await unshareEvents(database, projectID);
    process.stderr.write(`The events of project ${projectID} are ${wasShared ? "no longer shared" : "shared with nobody"}.\n`);
  };
}

function toUnit([unitType = "", id = ""]: string[]): Unit {
  return { unitType, id };
}

/** Prints only the data to standard output, so that it can be stored in a file. */
function downloadUnit(unit: Unit, projectID = DEFAULT_PROJECT): Command {
  return (database, { eventsUrl }) =>
    withEvents(database, eventsUrl, (opened) =>
      downloadUnitData(opened, { projectID, unit }, async (part) => {
        if (!process.stdout.write(part)) await once(process.stdout, "drain");
      }),
    );
}

/** Prints a line for each part of the deletion, and for each place in the configuration that is left. */
function deleteUnit(unit: Unit, projectID = DEFAULT_PROJECT): Command {
  return (database, { eventsUrl }) =>
    withEvents(database, eventsUrl, async (opened) => {
      for await (const { receipt, deleted, isPending, remaining } of deleteUnitData(opened, { projectID, unit })) {
        process.stdout.write(`${receipt} ${JSON.stringify(deleted)}\n`);
        for (const { entityType, entityID, property } of remaining) process.stderr.write(`Left: ${entityType} ${entityID} ${property}\n`);
        if (isPending) process.stderr.write("ClickHouse deletes the rows while a server runs. Repeat the command to confirm that.\n");
      }
    });
}

/** One line for each violation: `environments[0] references environment canary, which does not exist` */
function violationLines(error: unknown): string {
  const details = error instanceof AppError ? listDetails(error) : [];
  return details.map(({ property, errorMessage }) => `${property} ${errorMessage}\n`).join("");
}

main().catch((error: unknown) => {
  process.stderr.write(
    explain(error, [BackupFailed, UsageError, FaultyKey, NoProject, AuditError, AppError, MoveFailed, NotShareable]) +
      violationLines(error),
  );
  process.exitCode = 1;
});
