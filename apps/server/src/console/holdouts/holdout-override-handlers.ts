import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { addOverrides, removeOverrides, replaceOverrides } from "../common/override-lists.ts";
import type { Env } from "../stores.ts";

const UPDATED = "Holdout Overrides updated successfully.";

export const holdoutOverrideHandlers = {
  async getHoldoutOverrides({ path, stores }) {
    const { id } = await stores.holdouts.get(path.id);
    const data = await stores.holdouts.overrides(id).get();
    return { status: 200, body: { message: "Holdout Overrides read successfully.", data } };
  },

  async updateHoldoutOverrides({ path, body, context, stores }) {
    const { id } = await stores.holdouts.get(path.id);
    const overrides = await stores.holdouts.overrides(id).get();
    const data = await stores.holdouts.overrides(id).replace(overrides, replaceOverrides(overrides, body, context));
    return { status: 200, body: { message: UPDATED, data } };
  },

  async addHoldoutOverrides({ path, body, context, stores }) {
    const { id } = await stores.holdouts.get(path.id);
    const overrides = await stores.holdouts.overrides(id).get();
    const data = await stores.holdouts.overrides(id).replace(overrides, addOverrides(overrides, body, context));
    return { status: 200, body: { message: UPDATED, data } };
  },

  async removeHoldoutOverrides({ path, body, context, stores }) {
    const { id } = await stores.holdouts.get(path.id);
    const overrides = await stores.holdouts.overrides(id).get();
    const data = await stores.holdouts.overrides(id).replace(overrides, removeOverrides(overrides, body, context));
    return { status: 200, body: { message: UPDATED, data } };
  },
} satisfies Partial<Handlers<operations, Env>>;
