import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";

/** The validator fills in this default of the contract; it is here for calls without it. */
const DEFAULT_LIMIT = 50;

export const changeHandlers = {
  async listChanges({ query: { limit = DEFAULT_LIMIT, page, ...filter }, stores }) {
    const data = await stores.changes.list(filter, toWindow({ limit, page }));
    return { status: 200, body: { message: "Changes listed successfully.", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;
