import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";

export const codeReferenceHandlers = {
  async listCodeReferences({ query, stores }) {
    const { type, id } = query;
    const { data, total } = await stores.codeReferences.list({ type, id }, toWindow(query));
    const pagination = paginate("/console/v1/code_references", query, total);
    return { status: 200, body: { message: "Code references listed successfully.", data, pagination } };
  },

  async updateCodeReferences({ body, context, stores }) {
    const { repository, branch, references } = body;
    await stores.codeReferences.replace(body, context.now);
    const data = { repository, branch, count: references.length };
    return { status: 200, body: { message: "Code references updated successfully.", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;
