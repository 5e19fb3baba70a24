import { invalid } from "../../errors.ts";
import type { EvaluationEnv, EvaluationHandlers } from "../binding.ts";
import type { EventBatch } from "./event-intake.ts";

/** Rejected events that a response names. */
const MAX_NAMED_EVENTS = 100;

type Call = Pick<EvaluationEnv, "caller" | "intake">;

const log = ({ body, ...call }: { body: EventBatch } & Call) => keepBatch(body, call, "events");

/**
 * Keeps what can be kept of a batch, and answers what is not. @param property where in the body its events are
 * @throws AppError invalid_request when nothing can be kept
 */
export async function keepBatch(batch: EventBatch, { caller, intake }: Call, property: string) {
  const { length } = batch.events;
  const { refused } = await intake.log(caller.credentials.projectID, batch);
  const named = refused.slice(0, MAX_NAMED_EVENTS);
  if (refused.length === length) {
    throw invalid(named.map(({ index, reason }) => ({ property: `${property}[${index}]`, errorMessage: reason })));
  }
  const message = refused.length === 0 ? "Events logged successfully." : `Events logged; ${refused.length} of ${length} refused.`;
  return { status: 202 as const, body: { message, success: true as const, ...(named.length > 0 && { refused: named }) } };
}

export const eventIntakeHandlers = {
  logEvent: log,
  registerEvents: log,
  registerEventsByBeacon: log,
} satisfies Partial<EvaluationHandlers>;
