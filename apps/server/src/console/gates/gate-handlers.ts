import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Env } from "../../stores.ts";
import { paginate, toWindow } from "../common/page.ts";
import { archiveGate, changeGate, disableGate, enableGate, launchGate, newGate, unarchiveGate } from "./gate.ts";

const UPDATED = "Gate updated successfully.";

export const gateHandlers = {
  async listGates({ query, stores }) {
    const { limit, page, ...filter } = query;
    const { gates: data, total } = await stores.gates.list(filter, toWindow(query));
    const pagination = paginate("/console/v1/gates", query, total);
    return { status: 200, body: { message: "Gates listed successfully.", data, pagination } };
  },

  async createGate({ body, context, stores }) {
    const data = await stores.gates.create(newGate(body, context));
    return { status: 201, body: { message: "Gate created successfully.", data } };
  },

  async getGate({ path, stores }) {
    const data = await stores.gates.get(path.id);
    return { status: 200, body: { message: "Gate read successfully.", data } };
  },

  async updateGate({ path, body, context, stores }) {
    const gate = await stores.gates.get(path.id);
    const data = await stores.gates.replace(gate, changeGate(gate, body, context));
    return { status: 200, body: { message: UPDATED, data } };
  },

  async patchGate({ path, body, context, stores }) {
    const gate = await stores.gates.get(path.id);
    const data = await stores.gates.replace(gate, changeGate(gate, body, context));
    return { status: 200, body: { message: UPDATED, data } };
  },

  async deleteGate({ path, stores }) {
    await stores.gates.delete(await stores.gates.get(path.id));
    return { status: 200, body: { message: "Gate deleted successfully." } };
  },

  async enableGate({ path, context, stores }) {
    const gate = await stores.gates.get(path.id);
    const data = await stores.gates.replace(gate, enableGate(gate, context));
    return { status: 200, body: { message: UPDATED, data } };
  },

  async disableGate({ path, context, stores }) {
    const gate = await stores.gates.get(path.id);
    const data = await stores.gates.replace(gate, disableGate(gate, context));
    return { status: 200, body: { message: UPDATED, data } };
  },

  async launchGate({ path, context, stores }) {
    const gate = await stores.gates.get(path.id);
    const data = await stores.gates.replace(gate, launchGate(gate, context));
    return { status: 200, body: { message: UPDATED, data } };
  },

  async archiveGate({ path, body, context, stores }) {
    const gate = await stores.gates.get(path.id);
    const data = await stores.gates.replace(gate, archiveGate(gate, context), body?.archiveReason);
    return { status: 200, body: { message: UPDATED, data } };
  },

  async unarchiveGate({ path, body, context, stores }) {
    const gate = await stores.gates.get(path.id);
    const data = await stores.gates.replace(gate, unarchiveGate(gate, context), body?.unarchiveReason);
    return { status: 200, body: { message: UPDATED, data } };
  },
} satisfies Partial<Handlers<operations, Env>>;
