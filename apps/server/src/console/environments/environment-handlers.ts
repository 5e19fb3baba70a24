import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Env } from "../../stores.ts";
import { replaceEnvironments } from "./environment-set.ts";

export const environmentHandlers = {
  async getEnvironments({ stores }) {
    const data = await stores.environments.get();
    return { status: 200, body: { message: "Environments read successfully.", data } };
  },

  async updateEnvironments({ body, stores }) {
    const set = await stores.environments.get();
    const data = await stores.environments.replace(set, replaceEnvironments(set, body.environments));
    return { status: 200, body: { message: "Environments updated successfully.", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;
