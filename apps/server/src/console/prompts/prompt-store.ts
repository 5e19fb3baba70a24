import { notFound } from "../../errors.ts";
import { fromText, toText } from "../../store/entity-text.ts";
import type { StoreContext } from "../../store/store-context.ts";
import type { Window } from "../common/page.ts";
import type { Prompt } from "./prompt.ts";

export function createPromptStore({ db, projectID, log }: StoreContext) {
  const subject = (id: string) => ({ table: "prompt", key: { projectID, id }, type: "prompt", id }) as const;
  return {
    /** Newest first. */
    async list(window: Window): Promise<{ prompts: Prompt[]; total: number }> {
      const where = { projectID };
      const [rows, total] = await Promise.all([
        db.prompt.findMany({ where, ...window, orderBy: [{ createdTime: "desc" }, { id: "asc" }], select: { entity: true } }),
        db.prompt.count({ where }),
      ]);
      return { prompts: rows.map(toPrompt), total };
    },

    /** @throws AppError not_found */
    async get(id: string): Promise<Prompt> {
      const row = await db.prompt.findUnique({ where: { projectID_id: { projectID, id } }, select: { entity: true } });
      if (!row) throw notFound("Prompt", id);
      return toPrompt(row);
    },

    create: (prompt: Prompt) => log.create(subject(prompt.id), prompt, toColumns(prompt)),
  };
}

function toPrompt({ entity }: { entity: string }): Prompt {
  return fromText(entity);
}

function toColumns(prompt: Prompt) {
  return { version: prompt.version, createdTime: prompt.createdTime, entity: toText(prompt) };
}
