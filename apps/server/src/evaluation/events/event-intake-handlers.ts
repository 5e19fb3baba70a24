import { invalid } from "../../errors.ts";
import type { EvaluationEnv, EvaluationHandlers } from "../evaluation-handlers.ts";
import type { EventBatch, RefusedEvent } from "./event-intake.ts";

/** The most refused events that are named. */
const MOST_NAMED = 100;

async function log({ body, caller, intake }: { body: EventBatch } & Pick<EvaluationEnv, "caller" | "intake">) {
  const { refused } = await intake.log(caller.credentials.projectID, body);
  const named = refused.slice(0, MOST_NAMED);
  if (refused.length === body.events.length) throw invalid(named.map(toViolation));
  const message =
    refused.length === 0 ? "Events logged successfully." : `Events logged; ${refused.length} of ${body.events.length} refused.`;
  return { status: 202 as const, body: { message, success: true as const, ...(named.length > 0 && { refused: named }) } };
}

function toViolation({ index, reason }: RefusedEvent) {
  return { property: `events[${index}]`, errorMessage: reason };
}

export const eventIntakeHandlers = { logEvent: log, registerEvents: log } satisfies Partial<EvaluationHandlers>;
