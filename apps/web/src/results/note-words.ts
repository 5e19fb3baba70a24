// Notes on results, as marks of charts and as a file. Pure.
import type { Schema } from "../api.ts";
import type { Mark } from "../charts/marks.ts";
import { csvCell } from "../shell/csv.ts";
import { isoTime } from "../ui/iso-time.ts";

type ResultNote = Schema<"ResultNote">;

/** The name of a person or key; the email address of someone without a name. */
export const writerOf = ({ name, email, id }: ResultNote["author"]): string => name || email || id;

/** The notes by the time of what happened, latest first. */
export const latestNotesFirst = (notes: readonly ResultNote[]): ResultNote[] => notes.toSorted((one, other) => other.time - one.time);

/** A mark for each note. */
export const noteMarks = (notes: readonly ResultNote[]): Mark[] =>
  notes.map(({ time, text, author }) => ({ time, name: text, text: `Note: ${text} (${writerOf(author)})`, isNote: true }));

/** One line per note, by time. */
export function notesCsv(notes: readonly ResultNote[]): string {
  const lines = latestNotesFirst(notes)
    .toReversed()
    .map(({ time, text, author, createdTime }) => [isoTime(time), text, writerOf(author), isoTime(createdTime)].map(csvCell).join(","));
  return ["time,note,author,created_time", ...lines, ""].join("\r\n");
}
