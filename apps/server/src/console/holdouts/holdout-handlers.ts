import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restored, restoreVersion } from "../common/version-handlers.ts";
import type { Env } from "../stores.ts";
import { changeHoldout, newHoldout } from "./holdout.ts";

const UPDATED = "Holdout updated successfully.";

const change: Handlers<operations, Env>["patchHoldout"] = async ({ path, body, context, stores }) => {
  const holdout = await stores.holdouts.get(path.id);
  const data = await stores.holdouts.replace(holdout, changeHoldout(holdout, body, context));
  return { status: 200, body: { message: UPDATED, data } };
};

export const holdoutHandlers = {
  listHoldoutVersions: listVersions("listHoldoutVersions", "Holdout", (stores) => stores.holdouts),
  restoreHoldoutVersion: restoreVersion("Holdout", (stores) => stores.holdouts, {
    async recreate(deleted, old, { context, stores }) {
      const holdout = await stores.holdouts.create(restored(deleted, old, context));
      await stores.holdouts.overrides(holdout.id).bringBack();
      return holdout;
    },
  }),

  async listHoldouts({ query, stores }) {
    const filter = pickFilters(query);
    const { data, total } = await stores.holdouts.list(filter, toWindow(query));
    const pagination = paginate("/console/v1/holdouts", query, total);
    return { status: 200, body: { message: "Holdouts listed successfully.", data, pagination } };
  },

  async createHoldout({ body, context, stores }) {
    const data = await stores.holdouts.create(newHoldout(body, context));
    return { status: 200, body: { message: "Holdout created successfully.", data } };
  },

  async getHoldout({ path, stores }) {
    const data = await stores.holdouts.get(path.id);
    return { status: 200, body: { message: "Holdout read successfully.", data } };
  },

  updateHoldout: change,
  patchHoldout: change,

  async deleteHoldout({ path, query, stores }) {
    const data = await stores.holdouts.get(path.id);
    await stores.holdouts.delete(data, { force: query.forceArchive });
    return { status: 200, body: { message: "Holdout deleted successfully.", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;
