import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";

export const referenceHandlers = {
  async listReferences({ query, stores }) {
    const { type, id } = query;
    const { data, total } = await stores.references.list({ type, id }, toWindow(query));
    const pagination = paginate("/console/v1/references", query, total);
    return { status: 200, body: { message: "References listed successfully.", data, pagination } };
  },
} satisfies Partial<Handlers<operations, Env>>;
