import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Env } from "../stores.ts";

export const configurationHandlers = {
  async exportProject({ query, stores }) {
    const { kinds, ids, tags } = query;
    const data = await stores.configuration.export({ kinds, ids, tags });
    return { status: 200, body: { message: "Project exported successfully.", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;
