import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";
import { resumedGate } from "./guardrails.ts";

export const guardrailHandlers = {
  async listGateAlerts({ path, query, stores }) {
    const { id } = await stores.gates.get(path.id);
    const { data, total } = await stores.gates.guardrails.listAlerts(id, toWindow(query));
    const pagination = paginate(`/console/v1/gates/${encodeURIComponent(id)}/alerts`, query, total);
    return { status: 200, body: { message: "Alerts listed successfully.", data, pagination } };
  },

  async getGateGuardrails({ path, stores }) {
    const { id } = await stores.gates.get(path.id);
    return { status: 200, body: { message: "Guardrails read successfully.", data: await stores.gates.guardrails.lastCheck(id) } };
  },

  async resolveGateAlert({ path, body, context, stores }) {
    // The lock keeps a check from pausing the rollouts that this changes.
    const gate = await stores.gates.get(path.id, { lock: true });
    await stores.gates.guardrails.resolve(gate.id, path.metricId, body?.reasoning ?? null);
    const resumed = resumedGate(gate, path.metricId, context);
    if (resumed) await stores.gates.replace(gate, resumed, { isPlanned: true });
    return { status: 200, body: { message: "Alert resolved successfully.", data: { resolvedAt: context.now } } };
  },
} satisfies Partial<Handlers<operations, Env>>;
