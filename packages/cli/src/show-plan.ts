import type { Schema } from "@gatehouse/client";
import { styled } from "./output.ts";

type Applied = Schema<"ConfigurationApplied">;
type Change = Applied["data"][number];
type FieldChange = Schema<"FieldChange">;

/** The most characters of a value that a plan shows. */
const MAX_SHOWN = 80;

const SIGNS = { create: ["green", "+"], update: ["yellow", "~"], remove: ["red", "-"] } as const;

/** A plan as text: each changed entity with its fields, then a summary, the impact on users, and the reviews that are needed. */
export function toPlanText({ data, changes = [], requirements = [], impact }: Applied): string {
  const lines = data.flatMap((change) => [...describeChange(change, changes)]);
  const counts = (["create", "update", "remove"] as const).map(
    (action) => [action, data.filter((one) => one.action === action).length] as const,
  );
  const summary = counts.filter(([, count]) => count > 0).map(([action, count]) => `${count} to ${action}`);
  return [
    ...lines,
    ...(lines.length > 0 ? [""] : []),
    styled(
      "bold",
      data.length === 0
        ? "No changes. The project is equal to the configuration."
        : `${count(data.length, "change")}: ${summary.join(", ")}.`,
    ),
    ...describeImpact(impact),
    ...(requirements.length === 0 ? [] : [`${styled("yellow", "A review is needed:")} ${requirements.map(({ name }) => name).join(", ")}`]),
  ].join("\n");
}

const count = (number: number, noun: string) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

function describeChange({ kind, id, name, action, requests }: Change, changes: readonly Schema<"EntityChange">[]): string[] {
  const [style, sign] = SIGNS[action];
  const title = `${styled(style, sign)} ${kind}/${id}${name === null || name === id ? "" : ` (${name})`}`;
  const how = action === "remove" ? [requests.some((one) => one.startsWith("archive")) ? " will be archived" : " will be removed"] : [];
  if (action !== "update") return [title + how.join("")];
  const own = changes.filter(
    ({ entityID, entityType }) =>
      entityID === id || entityType === (kind === "environments" ? "environment_set" : kind === "settings" ? kind : undefined),
  );
  return [title, ...own.flatMap(({ fields }) => fields.filter(isShown).map(describeField))];
}

/** Fields that change with every write say nothing. */
const isShown = ({ field }: FieldChange): boolean => !/^(version|lastModif|typeReason)/.test(field);

function describeField({ field, before, after }: FieldChange): string {
  return `    ${field}: ${styled("red", shorten(before))} → ${styled("green", shorten(after))}`;
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
}

function describeImpact(impact: Applied["impact"]): string[] {
  const affected = (impact ?? []).filter(({ users }) => users > 0);
  return affected.flatMap(({ environment, users, changed, transitions }) => [
    `Impact in ${environment}: ${changed.toLocaleString("en")} of ${count(users, "recent user")} would get another value.`,
    ...transitions
      .slice(0, 5)
      .map(({ id, from, to, count: number }) => `    ${id}: ${shorten(from)} → ${shorten(to)} for ${count(number, "user")}`),
  ]);
}
