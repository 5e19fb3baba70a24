import { type ConsoleClient, pages } from "@gatehouse/client";
import type { Command } from "commander";
import { connect, globalOptions } from "../connection.ts";
import { print, printJson, styled, table } from "../output.ts";

type Entity = { [field: string]: unknown };
type Action = "enable" | "disable" | "launch" | "archive" | "unarchive" | "delete";

/** The commands of a kind of entity, and the columns of its list. */
type Kind = { command: string; noun: string; names: string; one: string; columns: string[]; actions: Action[]; perEnvironment: Action[] };

const KINDS: Kind[] = [
  {
    ...{ command: "gates", noun: "Gate", names: "Gates", one: "gate", columns: ["id", "status", "type", "tags"] },
    ...{ actions: ["enable", "disable", "launch", "archive", "unarchive", "delete"], perEnvironment: ["enable", "disable"] },
  },
  {
    ...{ command: "configs", noun: "DynamicConfig", names: "DynamicConfigs", one: "dynamic config", columns: ["id", "status", "tags"] },
    ...{ actions: ["enable", "disable", "archive", "unarchive", "delete"], perEnvironment: ["enable", "disable"] },
  },
  {
    ...{ command: "segments", noun: "Segment", names: "Segments", one: "segment", columns: ["id", "type", "count", "tags"] },
    ...{ actions: ["archive", "unarchive", "delete"], perEnvironment: [] },
  },
  {
    ...{
      command: "experiments",
      noun: "Experiment",
      names: "Experiments",
      one: "experiment",
      columns: ["id", "status", "allocation", "tags"],
    },
    ...{ actions: ["archive", "unarchive", "delete"], perEnvironment: [] },
  },
];

const DONE: Record<Action, string> = {
  enable: "enabled",
  disable: "disabled",
  launch: "launched",
  archive: "archived",
  unarchive: "unarchived",
  delete: "deleted",
};

export function addEntities(program: Command): void {
  for (const kind of KINDS) addKind(program, kind);
}

type Method = (request: object) => Promise<{ data?: Entity }>;
const methodOf = (client: ConsoleClient, operationId: string) => (client as unknown as Record<string, Method>)[operationId] as Method;

function addKind(program: Command, kind: Kind): void {
  const { command: name, noun, names, one, columns, actions, perEnvironment } = kind;
  const parent = program.command(name).description(`List, show, and change ${name === "configs" ? "dynamic configs" : name}`);
  parent
    .command("list")
    .description(`List ${name}`)
    .option("--search <text>", "only those whose name, ID, or description contains it")
    .option("--tag <tags...>", "only those with all of these tags")
    .option("--archived", "include archived ones")
    .action(async (options: { search?: string; tag?: string[]; archived?: boolean }, command: Command) => {
      const { client } = connect(globalOptions(command));
      const query = {
        ...(options.search !== undefined && { search: options.search }),
        ...(options.tag && name !== "segments" && { tags: options.tag }),
        ...(options.archived && name !== "experiments" && { includeArchived: true }),
      };
      const found: Entity[] = [];
      for await (const entity of pages(methodOf(client, `list${names}`) as unknown as ConsoleClient["listGates"], { query }))
        found.push({ ...entity });
      // These lists lack the filters.
      const isListed = ({ tags, status }: Entity) =>
        (name !== "segments" || (options.tag ?? []).every((tag) => (tags as string[]).includes(tag))) &&
        (name !== "experiments" || options.archived || status !== "archived");
      const listed = found.filter(isListed);
      if (globalOptions(command).json) return printJson(listed);
      print(
        table(
          columns,
          listed.map((entity) => columns.map((column) => show(entity[column]))),
        ),
      );
    });
  parent
    .command("get")
    .description(`Show a ${one}`)
    .argument("<id>")
    .action(async (id: string, _options, command: Command) => {
      const { client } = connect(globalOptions(command));
      printJson((await methodOf(client, `get${noun}`)({ path: { id } })).data);
    });
  for (const action of actions) {
    const added = parent
      .command(action)
      .description(`${action.charAt(0).toUpperCase()}${action.slice(1)} a ${one}`)
      .argument("<ids...>");
    if (perEnvironment.includes(action)) added.option("--environment <name>", "only in this environment");
    added
      .option("--reason <text>", "the reason, for the audit log")
      .option("--dry-run", "show what would change, and change nothing")
      .action(async (ids: string[], options: { environment?: string; reason?: string; dryRun?: boolean }, command: Command) => {
        const { client } = connect(globalOptions(command));
        const { environment, reason, dryRun } = options;
        const query = { ...(environment && { environment }), ...(reason && { reason }) };
        const requests = ids.map((id) => ({ operationId: `${action}${noun}`, path: { id }, query: environment ? { environment } : {} }));
        // Several changes are made together, or not at all.
        const [id = ""] = ids;
        const result =
          ids.length === 1
            ? await methodOf(client, `${action}${noun}`)({ path: { id }, query: { ...query, ...(dryRun && { dryRun }) } })
            : await client.batch({ requests: requests as never, query: { ...(reason && { reason }), ...(dryRun && { dryRun }) } });
        if (globalOptions(command).json) return printJson(result);
        const where = environment === undefined ? "" : ` in ${environment}`;
        print(
          dryRun
            ? `Nothing changed: ${ids.join(", ")} would be ${DONE[action]}${where}.`
            : `${styled("green", "✓")} ${ids.join(", ")} ${DONE[action]}${where}.`,
        );
      });
  }
}

function show(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  return value === null || value === undefined ? "" : String(value);
}
