import { exact } from "../charts/format.ts";
import { date, moment } from "../ui/time-text.ts";
/** The target of a link. */
export type ReferenceType = "gate" | "segment" | "experiment";

/** A piece of a sentence, so that a page can show values as chips and names as links. */
export type Part =
  | { kind: "text" | "subject" | "operator"; text: string }
  /** `time`: the value is this time, ms since the epoch, and the text gives it in UTC. `title`: the whole value, if the text is cut. */
  | { kind: "value"; text: string; time?: number; title?: string }
  /** Stands for further values. */
  | { kind: "more"; text: string; values: string[] }
  | { kind: "reference"; text: string; type: ReferenceType; id: string };

export const text = (words: string): Part => ({ kind: "text", text: words });
export const subject = (words: string): Part => ({ kind: "subject", text: words });
export const operator = (words: string): Part => ({ kind: "operator", text: words });
export const value = (words: string | number): Part => ({ kind: "value", text: String(words) });
export const reference = (type: ReferenceType, id: string): Part => ({ kind: "reference", text: id, type, id });

/** The separator of two parts: empty before punctuation, a comma between values, otherwise a space. */
export function gapBetween(previous: Part | undefined, next: Part): "" | " " | ", " {
  if (previous === undefined || (next.kind === "text" && /^[,.:;)]/.test(next.text))) return "";
  if (previous.kind === "text" && previous.text.endsWith("(")) return "";
  return isValue(previous) && isValue(next) ? ", " : " ";
}

/** The sentence as plain text. */
export function toText(parts: readonly Part[]): string {
  return parts.map((part, index) => `${gapBetween(parts[index - 1], part)}${part.text}`).join("");
}

const isValue = ({ kind }: Part) => kind === "value" || kind === "reference";

const SHOWN = 3;

/** The first values, and how many more there are. */
export function valueList(values: readonly (string | number)[], shown = SHOWN): Part[] {
  const hidden = values.slice(shown).map(String);
  const parts = values.slice(0, shown).map(value);
  return hidden.length === 0 ? parts : [...parts, { kind: "more", text: `+ ${exact(hidden.length)} more`, values: hidden }];
}

/** Parts with a separator between them. */
export function joined(lists: readonly Part[][], separator: Part): Part[] {
  return lists.flatMap((parts, index) => (index === 0 ? parts : [separator, ...parts]));
}

/** Longer values are cut. In characters. */
const MAX_VALUE_LENGTH = 60;

/** A JSON value, cut if it is long. */
export function jsonValue(json: unknown): Part {
  const whole = JSON.stringify(json) ?? "nothing";
  const characters = [...whole];
  if (characters.length <= MAX_VALUE_LENGTH) return value(whole);
  return { kind: "value", text: `${characters.slice(0, MAX_VALUE_LENGTH - 1).join("")}…`, title: whole };
}

/** Whether a value shows only its beginning. */
export const isCut = (part: Part): boolean => part.kind === "value" && part.title !== undefined;

/** A time, ms since the epoch, in UTC. */
export function timeValue(time: number): Part {
  return isOnCalendar(time) ? { kind: "value", text: moment(time, "utc"), time } : value(time);
}

/** The day in UTC of a time, ms since the epoch. */
export function dayValue(time: number): Part {
  return isOnCalendar(time) ? { kind: "value", text: `${date(time, "utc")} (UTC)`, time } : value(time);
}

/** The start of the years 0 and 10,000 in UTC. */
const [CALENDAR_START, CALENDAR_END] = [-62_167_219_200_000, 253_402_300_800_000];

/** Whether a calendar shows the time. */
const isOnCalendar = (time: number): boolean => time >= CALENDAR_START && time < CALENDAR_END;
