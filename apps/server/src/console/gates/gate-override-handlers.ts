import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { addOverrides, removeOverrides, replaceOverrides } from "../common/override-lists.ts";
import type { Env } from "../stores.ts";
import { gateLifecycle } from "./gate.ts";

const UPDATED = "Gate Overrides updated successfully.";

export const gateOverrideHandlers = {
  async getGateOverrides({ path, stores }) {
    const { id } = await stores.gates.get(path.id);
    const data = await stores.gates.overrides(id).get();
    return { status: 201, body: { message: "Gate Overrides read successfully.", data } };
  },

  async updateGateOverrides({ path, body, context, stores }) {
    const gate = await stores.gates.get(path.id);
    gateLifecycle.requireInUse(gate);
    const overrides = await stores.gates.overrides(gate.id).get();
    const data = await stores.gates.overrides(gate.id).replace(overrides, replaceOverrides(overrides, body, context));
    return { status: 201, body: { message: UPDATED, data } };
  },

  async addGateOverrides({ path, body, context, stores }) {
    const gate = await stores.gates.get(path.id);
    gateLifecycle.requireInUse(gate);
    const overrides = await stores.gates.overrides(gate.id).get();
    const data = await stores.gates.overrides(gate.id).replace(overrides, addOverrides(overrides, body, context));
    return { status: 201, body: { message: UPDATED, data } };
  },

  async removeGateOverrides({ path, body, context, stores }) {
    const gate = await stores.gates.get(path.id);
    gateLifecycle.requireInUse(gate);
    const overrides = await stores.gates.overrides(gate.id).get();
    const data = await stores.gates.overrides(gate.id).replace(overrides, removeOverrides(overrides, body, context));
    return { status: 201, body: { message: UPDATED, data } };
  },
} satisfies Partial<Handlers<operations, Env>>;
