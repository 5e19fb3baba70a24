import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { query, type Schema } from "../api.ts";
import type { Mark } from "../charts/marks.ts";
import { noteMarks } from "./note-words.ts";

/** The most notes that an entity can have. */
const MAX_NOTES = 100;

/** All notes on the results of an entity. */
export const resultNotes = (type: Schema<"NotedType">, id: string) => query("listResultNotes", { query: { type, id, limit: MAX_NOTES } });

/** The notes on the results of an entity, for their charts. */
export function useNoteMarks(type: Schema<"NotedType">, id: string): Mark[] {
  const { data } = useQuery(resultNotes(type, id));
  return useMemo(() => noteMarks(data?.data ?? []), [data]);
}
