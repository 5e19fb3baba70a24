import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { attachedStore, SUBJECT_COLUMNS } from "../common/attached-store.ts";
import { NOWHERE } from "../common/parts-elsewhere.ts";
import type { EntityKind } from "../slice.ts";
import type { ResultNote } from "./result-note.ts";

/** The most notes on the results of an entity. */
const MAX_NOTES = 100;

export const resultNoteKind: EntityKind<"result_note", ResultNote> = {
  table: "result_note",
  type: "result_note",
  getID: (note) => note.id,
  references: null,
  columns: SUBJECT_COLUMNS,
  listing: null,
  named: null,
  ruleset: null,
  needs: null,
  reach: NOWHERE,
};

export const createResultNoteStore = (deps: StoreDeps) => attachedStore(deps, resultNoteKind, MAX_NOTES);
