import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";
import { editResultNote, newResultNote } from "./result-note.ts";

export const resultNoteHandlers = {
  async listResultNotes({ query, stores }) {
    const { type, id } = query;
    const { data, total } = await stores.resultNotes.listOf({ type, id }, toWindow(query));
    const pagination = paginate("/console/v1/result_notes", query, total);
    return { status: 200, body: { message: "Result notes listed successfully.", data, pagination } };
  },

  async createResultNote({ body, context, stores }) {
    const subject = await stores.resultNotes.requireSubject(body);
    const data = await stores.resultNotes.create(newResultNote(body, subject, context));
    return { status: 200, body: { message: "Result note created successfully.", data } };
  },

  async getResultNote({ path, stores }) {
    const data = await stores.resultNotes.get(path.id);
    return { status: 200, body: { message: "Result note read successfully.", data } };
  },

  async patchResultNote({ path, body, context, stores }) {
    const note = await stores.resultNotes.get(path.id);
    const data = await stores.resultNotes.replace(note, editResultNote(note, body, context));
    return { status: 200, body: { message: "Result note updated successfully.", data } };
  },

  async deleteResultNote({ path, stores }) {
    await stores.resultNotes.delete(await stores.resultNotes.get(path.id));
    return { status: 200, body: { message: "Result note deleted successfully." } };
  },
} satisfies Partial<Handlers<operations, Env>>;
