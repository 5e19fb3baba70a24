import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { randomID } from "../../common/identifier.ts";
import type { Subject } from "../common/subject.ts";

export type ResultNote = Schema<"ResultNote">;
export type NotedType = ResultNote["entityType"];

/** The types of entities whose results can have notes. */
export const NOTED_TYPES = Object.keys({
  experiment: true,
  gate: true,
  holdout: true,
} satisfies Record<NotedType, true>) as NotedType[];

export function newResultNote(
  { time, text }: Pick<WritableSchema<"ResultNoteCreate">, "time" | "text">,
  subject: Subject<NotedType>,
  { actor: { id, name, email }, now }: Context,
): ResultNote {
  return { id: randomID(), ...subject, time, text, author: { id, name, email }, createdTime: now, editedTime: null, version: 1 };
}

export function editResultNote(
  note: ResultNote,
  { time = note.time, text = note.text }: WritableSchema<"ResultNotePatch">,
  { actor: { id, name, email }, now }: Context,
): ResultNote {
  return { ...note, time, text, editor: { id, name, email }, editedTime: now, version: note.version + 1 };
}
