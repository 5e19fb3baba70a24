import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";
import { addRule, addRules, deleteRule, patchRule, patchRules } from "./gate.ts";

const ADDED = "Gate rules added successfully.";
const UPDATED = "Gate updated successfully.";

export const gateRuleHandlers = {
  async listGateRules({ path, query, stores }) {
    const { id, rules } = await stores.gates.get(path.id);
    const { skip, take } = toWindow(query);
    const data = [{ rules: rules.slice(skip, skip + take) }];
    const pagination = paginate(`/console/v1/gates/${encodeURIComponent(id)}/rules`, query, rules.length);
    return { status: 200, body: { message: "Gate rules read successfully.", data, pagination } };
  },

  async addGateRule({ path, body, context, stores }) {
    const gate = await stores.gates.get(path.id);
    const data = await stores.gates.replace(gate, addRule(gate, body, context));
    return { status: 200, body: { message: ADDED, data } };
  },

  async addGateRules({ path, body, context, stores }) {
    const gate = await stores.gates.get(path.id);
    const data = await stores.gates.replace(gate, addRules(gate, body.rules, context));
    return { status: 200, body: { message: ADDED, data } };
  },

  async patchGateRules({ path, body, context, stores }) {
    const gate = await stores.gates.get(path.id);
    const data = await stores.gates.replace(gate, patchRules(gate, body.rules, context));
    return { status: 200, body: { message: UPDATED, data } };
  },

  async patchGateRule({ path, body, context, stores }) {
    const gate = await stores.gates.get(path.id);
    const data = await stores.gates.replace(gate, patchRule(gate, path.ruleID, body, context));
    return { status: 200, body: { message: UPDATED, data } };
  },

  async deleteGateRule({ path, context, stores }) {
    const gate = await stores.gates.get(path.id);
    const data = await stores.gates.replace(gate, deleteRule(gate, path.ruleID, context));
    return { status: 200, body: { message: UPDATED, data } };
  },
} satisfies Partial<Handlers<operations, Env>>;
