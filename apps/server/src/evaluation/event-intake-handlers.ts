import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/evaluation";
import { newEvents } from "../console/events/event.ts";
import { countChecks } from "../console/gates/gate-checks.ts";
import type { Env } from "../stores.ts";

export const eventIntakeHandlers = {
  async logEvent({ body, context, stores }) {
    await stores.events.append(newEvents(body, context));
    await stores.gateChecks.add(countChecks(body.events, context.now));
    return { status: 202, body: { message: "Events logged successfully.", success: true } };
  },
} satisfies Partial<Handlers<operations, Env>>;
