import { isDeepStrictEqual } from "node:util";
import type { Command } from "commander";
import { CliError, EXIT } from "../cli-error.ts";
import { connectTo, globalOptions } from "../connection.ts";
import type { Configuration, Entity } from "../files/documents.ts";
import { identify, isKind, KINDS, type Kind } from "../files/kinds.ts";
import { print, printJson, styled } from "../output.ts";
import { profileNamed } from "../profiles.ts";
import { toPlanText } from "../show-plan.ts";
import { applyTo, exportFrom, planWith, type Selection, withSelection } from "./configuration.ts";

type FromTo = { from: string; to: string };

export function addPromote(program: Command): void {
  withSelection(program.command("diff"))
    .description("Compare the configuration of two projects or servers. Exits with 2 if they differ")
    .requiredOption("--from <profile>", "the profile of the first project")
    .requiredOption("--to <profile>", "the profile of the second project")
    .action(async ({ from, to, ...selection }: FromTo & Selection, command: Command) => {
      const [before, after] = await Promise.all([to, from].map((name) => exportFrom(connectTo(profileNamed(name)), selection)));
      const differences = compare(before as Configuration, after as Configuration);
      if (globalOptions(command).json) printJson(differences);
      else
        print(differences.length === 0 ? `${from} and ${to} are equal.` : differences.map((one) => describe(one, { from, to })).join("\n"));
      if (differences.length > 0) process.exitCode = EXIT.changes;
    });
  program
    .command("promote")
    .description("Copy entities from one project to another, such as from staging to production")
    .argument("<entities...>", "the entities as kind/id, such as gates/new_checkout")
    .requiredOption("--from <profile>", "the profile of the project to copy from")
    .requiredOption("--to <profile>", "the profile of the project to change")
    .option("--dry-run", "show what would change, and change nothing. Exits with 2 if there are changes")
    .option("-y, --yes", "do not ask")
    .option("--reason <text>", "the reason, for the audit log and the review")
    .action(async (entities: string[], options: FromTo & { dryRun?: boolean; yes?: boolean; reason?: string }, command: Command) => {
      const { from, to, dryRun = false } = options;
      const json = globalOptions(command).json ?? false;
      const wanted = entities.map(parseEntity);
      const whole = await exportFrom(connectTo(profileNamed(from)), { kinds: [...new Set(wanted.map(({ kind }) => kind))] });
      const configuration: Configuration = {};
      for (const { kind, id } of wanted) {
        const entity = whole[kind]?.find((one) => identify(kind, one) === id);
        if (!entity) throw new CliError(`${from} has no ${kind}/${id}.`);
        configuration[kind] = [...(configuration[kind] ?? []), entity];
      }
      const target = connectTo(profileNamed(to));
      const documents = { configuration, placeOf: (property: string) => placeIn(configuration, property) };
      if (!dryRun) return applyTo(target, documents, options, json);
      const plan = await planWith(target, documents, {});
      if (json) printJson(plan);
      else print(toPlanText(plan));
      if (plan.data.length > 0) process.exitCode = EXIT.changes;
    });
}

function parseEntity(text: string): { kind: Kind; id: string } {
  const at = text.indexOf("/");
  const [kind, id] = [text.slice(0, at), text.slice(at + 1)];
  if (at > 0 && isKind(kind) && kind !== "environments" && id !== "") return { kind, id };
  throw new CliError(
    `${text} is not an entity.`,
    `Give a kind and an ID, such as gates/new_checkout. Kinds: ${KINDS.filter((one) => one !== "environments").join(", ")}.`,
  );
}

/** `configuration.gates[0].rules` → `gates/new_checkout rules` */
function placeIn(configuration: Configuration, property: string): string | undefined {
  const [, kind = "", index = "", rest = ""] = /^configuration\.(\w+)\[(\d+)\]\.?(.*)$/.exec(property) ?? [];
  const entity = isKind(kind) ? configuration[kind]?.[Number(index)] : undefined;
  return entity && `${kind}/${identify(kind as Kind, entity)}${rest === "" ? "" : ` ${rest}`}`;
}

type Difference = { kind: Kind; id: string; only?: "from" | "to"; fields: { field: string; to: unknown; from: unknown }[] };

function compare(before: Configuration, after: Configuration): Difference[] {
  return KINDS.flatMap((kind) => {
    const [old, current] = [before, after].map(
      (one) => new Map((one[kind] ?? []).map((entity: Entity) => [identify(kind, entity), entity])),
    );
    const ids = [...new Set([...(old?.keys() ?? []), ...(current?.keys() ?? [])])].sort();
    return ids.flatMap((id): Difference[] => {
      const [a, b] = [old?.get(id), current?.get(id)];
      if (!a || !b) return [{ kind, id, only: b ? "from" : "to", fields: [] }];
      const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((field) => !isDeepStrictEqual(a[field], b[field]));
      return fields.length === 0
        ? []
        : [{ kind, id, fields: fields.map((field) => ({ field, to: a[field] ?? null, from: b[field] ?? null })) }];
    });
  });
}

function describe({ kind, id, only, fields }: Difference, { from, to }: FromTo): string {
  if (only !== undefined)
    return `${only === "from" ? styled("green", "+") : styled("red", "-")} ${kind}/${id} is only in ${only === "from" ? from : to}`;
  const lines = fields.map(
    (one) => `    ${one.field}: ${styled("red", JSON.stringify(one.to))} → ${styled("green", JSON.stringify(one.from))}`,
  );
  return [`${styled("yellow", "~")} ${kind}/${id}`, ...lines].join("\n");
}
