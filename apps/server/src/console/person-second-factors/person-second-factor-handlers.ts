import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Env } from "../stores.ts";

export const personSecondFactorHandlers = {
  async getPersonSecondFactors({ path, stores }) {
    const data = await stores.personSecondFactors.count(await stores.people.get(path.id));
    return { status: 200, body: { message: "Second factors read successfully.", data } };
  },

  async deletePersonSecondFactors({ path, stores }) {
    await stores.personSecondFactors.delete(await stores.people.get(path.id));
    return { status: 200, body: { message: "Second factors removed successfully." } };
  },
} satisfies Partial<Handlers<operations, Env>>;
