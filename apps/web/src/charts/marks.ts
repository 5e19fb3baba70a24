import { dayInZone } from "../ui/time-text.ts";
import { counted } from "./format.ts";
import { LENGTH_MS } from "./series.ts";

/** A change of what a chart shows, at the time of its save, or a note of what happened. */
export type Mark = {
  /** Milliseconds since the epoch. */
  time: number;
  /** One or two words beside the mark: Started. */
  name: string;
  /** What changed, and who changed it. */
  text: string;
  /** Whether a person wrote it. */
  isNote?: boolean;
};

/** The changes and notes at one place of a chart. */
export type PlacedMark = {
  x: number;
  /** Index of the point whose tooltip lists them. */
  index: number;
  name: string;
  texts: string[];
  /** How many of the texts are notes. */
  notes: number;
};

/** The time of a day's point, midnight in UTC of the date that the moment has in a time zone. */
const dayOf = (time: number, timeZone: string): number => Date.parse(dayInZone(time, timeZone));

/** When a chart with points of an interval shows a mark: at the day or hour of the change. */
export const markTime = ({ time }: Mark, interval: "hour" | "day", timeZone: string): number =>
  interval === "day" ? dayOf(time, timeZone) : Math.floor(time / LENGTH_MS.hour) * LENGTH_MS.hour;

/**
 * Places marks at the points that are nearest. Marks before the first point or after the last are left out.
 * @param times of the points, ascending
 * @param x of a time, px
 */
export function placeMarks(
  marks: readonly Mark[],
  times: readonly number[],
  toTime: (mark: Mark) => number,
  x: (time: number) => number,
): PlacedMark[] {
  const [first = Infinity, last = -Infinity] = [times[0], times.at(-1)];
  const placed = new Map<number, PlacedMark>();
  for (const mark of marks.toSorted((one, other) => one.time - other.time)) {
    const time = toTime(mark);
    if (time < first || time > last) continue;
    const index = times.findLastIndex((one) => one <= time);
    const known = placed.get(index);
    if (known) {
      known.texts.push(mark.text);
      known.notes += mark.isNote ? 1 : 0;
      known.name = countsText(known);
    } else placed.set(index, { x: x(times[index] ?? time), index, name: mark.name, texts: [mark.text], notes: mark.isNote ? 1 : 0 });
  }
  return [...placed.values()];
}

/** How many there are: 2 changes, 1 note. */
function countsText({ texts, notes }: PlacedMark): string {
  const changes = texts.length - notes;
  return [changes > 0 && counted(changes, "changes"), notes > 0 && counted(notes, "notes")].filter(Boolean).join(", ");
}

/** The columns that the marks of a chart need in its table: one or none. */
export function markColumns(marks: readonly PlacedMark[]): string[] {
  if (marks.length === 0) return [];
  const hasChanges = marks.some(({ texts, notes }) => texts.length > notes);
  const hasNotes = marks.some(({ notes }) => notes > 0);
  return [hasChanges && hasNotes ? "Changes and notes" : hasNotes ? "Notes" : "Changes"];
}

/** The texts of the marks at a point. */
export const textsAt = (marks: readonly PlacedMark[], index: number): string[] => marks.find((mark) => mark.index === index)?.texts ?? [];

/** A point's text with its marks, for screen readers. */
export const withMarks = (text: string, marks: readonly PlacedMark[], index: number): string => [text, ...textsAt(marks, index)].join(". ");
