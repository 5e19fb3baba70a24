import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";

export const experimentGuardrailHandlers = {
  async listExperimentAlerts({ path, query, stores }) {
    const { id } = await stores.experiments.get(path.id);
    const { data: alerts, total } = await stores.experiments.guardrails.listAlerts(id, toWindow(query));
    const pagination = paginate(`/console/v1/experiments/${encodeURIComponent(id)}/alerts`, query, total);
    return { status: 200, body: { message: "Alerts listed successfully.", data: { alerts }, pagination } };
  },

  async getExperimentGuardrails({ path, stores }) {
    const { id } = await stores.experiments.get(path.id);
    return { status: 200, body: { message: "Guardrails read successfully.", data: await stores.experiments.guardrails.lastCheck(id) } };
  },

  async resolveExperimentAlert({ path, body, context, stores }) {
    const { id } = await stores.experiments.get(path.id);
    await stores.experiments.guardrails.resolve(id, path.metricId, body?.reasoning ?? null);
    return { status: 200, body: { message: "Alert resolved successfully.", data: { resolvedAt: context.now } } };
  },
} satisfies Partial<Handlers<operations, Env>>;
