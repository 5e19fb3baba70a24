import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";

export const guardrailAlertHandlers = {
  async listGuardrailAlerts({ query, stores }) {
    const { data, total } = await stores.results.guardrailAlerts.list(toWindow(query));
    const pagination = paginate("/console/v1/guardrail_alerts", query, total);
    return { status: 200, body: { message: "Guardrail alerts listed successfully.", data, pagination } };
  },
} satisfies Partial<Handlers<operations, Env>>;
