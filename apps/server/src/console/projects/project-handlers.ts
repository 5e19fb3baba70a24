import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Env } from "../../stores.ts";

export const projectHandlers = {
  async getProject({ stores }) {
    const data = await stores.projects.get();
    return { status: 200, body: { message: "Project read successfully.", data } };
  },

  async getCompany({ stores }) {
    const data = await stores.projects.company();
    return { status: 200, body: { message: "Company read successfully.", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;
