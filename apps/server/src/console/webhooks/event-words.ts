import type { Schema } from "@gatehouse/contract/console";
import { capitalized, listed, words } from "../../common/words.ts";
import type { WebhookEvent } from "./webhook-event.ts";

/** Longer texts are cut, which chats would refuse. In characters. */
const MAX_TEXT = 1_500;
const MAX_FIELDS = 5;
const MAX_VALUE = 200;

type EventData = WebhookEvent["data"];
type Field = Schema<"ChangedField">;

/** The names of entities that have none of their own, such as members, by ID. */
export type SubjectNames = ReadonlyMap<string, string>;

/** One line about an event: `Ada Lovelace turned off gate new_checkout in staging (release 4.2)` */
export function describeEvent({ data }: WebhookEvent, names: SubjectNames, isTest: boolean): string {
  const text = isTest
    ? `This is a test of ${subjectOf(data, names)}.`
    : data.action === "recorded"
      ? `${subjectOf(data, names)}${fieldList(
          data.fields.map(({ field, after }) => `${field} ${shorten(after)}`),
          data.fieldCount,
        )}`
      : describeChange(data, subjectOf(data, names));
  return cut(`${capitalized(text)}${data.reason ? ` (${data.reason})` : ""}`, MAX_TEXT);
}

/** IDs that the server made up say nothing to people. */
const RANDOM_ID = /^[\w-]{22}$/;

function subjectOf({ entityType, entityID, entityName }: EventData, names: SubjectNames): string {
  const name = entityName ?? names.get(entityID) ?? (RANDOM_ID.test(entityID) ? undefined : entityID);
  const noun = words(entityType);
  return name === undefined ? `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}` : `${noun} ${name}`;
}

function describeChange({ action, actorName, fields, fieldCount }: EventData, subject: string): string {
  const who = actorName ?? "A person without a name";
  if (action !== "updated") return `${who} ${action} ${subject}`;
  const step = fields.length === fieldCount ? stepOf(fields, subject) : undefined;
  if (step !== undefined) return `${who} ${step}`;
  const changed = [...new Set(fields.map(({ field }) => fieldWords(field)))];
  return `${who} updated ${subject}${fieldList(changed, fieldCount - fields.length + changed.length)}`;
}

/** Fields that follow from whether an entity is enabled. */
const OF_STATE = new Set(["isEnabled", "status", "typeReason"]);

/** A change of the state alone, as people name it. */
function stepOf(fields: readonly Field[], subject: string): string | undefined {
  const [first] = fields;
  if (first?.field === "disabledEnvironments" && fields.length === 1) return switched(namesIn(first.before), namesIn(first.after), subject);
  if (!fields.every(({ field }) => OF_STATE.has(field))) return undefined;
  const status = fields.find(({ field }) => field === "status");
  if (isArchived(status?.after)) return `archived ${subject}`;
  if (isArchived(status?.before)) return `unarchived ${subject}`;
  const enabled = fields.find(({ field }) => field === "isEnabled");
  return enabled && `${enabled.after === true ? "enabled" : "disabled"} ${subject}`;
}

const isArchived = (status: unknown): boolean => typeof status === "string" && status.toLowerCase() === "archived";
const namesIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

function switched(before: readonly string[], after: readonly string[], subject: string): string | undefined {
  const [off, on] = [after.filter((name) => !before.includes(name)), before.filter((name) => !after.includes(name))];
  if (off.length === 0 && on.length === 0) return undefined;
  if (off.length === 0) return `turned on ${subject} in ${listed(on)}`;
  return `turned off ${subject} in ${listed(off)}${on.length === 0 ? "" : `, and turned it on in ${listed(on)}`}`;
}

/** `rules[0].passPercentage` → `rules › pass percentage` */
function fieldWords(path: string): string {
  return path
    .replace(/\[\d+\]/g, "")
    .split(".")
    .map((name) => words(name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase()).replace(/\bid(s?)\b/g, "ID$1"))
    .join(" › ");
}

function fieldList(texts: readonly string[], count: number): string {
  if (count === 0) return "";
  const shown = texts.slice(0, MAX_FIELDS);
  const rest = count - shown.length;
  return `: ${rest > 0 ? listed([...shown, `${rest} more`]) : shown.join(", ")}`;
}

const shorten = (value: unknown) => cut(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), MAX_VALUE);

/** The first half of a letter that UTF-16 has as two. */
const HALF_LETTER = /[\uD800-\uDBFF]$/;

export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).replace(HALF_LETTER, "")}…` : text;
}
