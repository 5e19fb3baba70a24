import { invalid } from "../../common/errors.ts";
import type { EvaluationEnv, EvaluationHandlers } from "../binding.ts";
import type { EventBatch } from "./event-intake.ts";

/** The most refused events that a response lists. */
const MAX_REPORTED_EVENTS = 100;

type Call = Pick<EvaluationEnv, "caller" | "rulesets" | "intake">;

const log = ({ body, ...call }: { body: EventBatch } & Call) => storeBatch(body, call, "events");

/**
 * Stores the valid events of a batch, and reports the others. @param property of the body that has the events
 * @throws AppError invalid_request for a batch without valid events and recordings
 */
export async function storeBatch(batch: EventBatch, { caller, rulesets, intake }: Call, property: string) {
  const { length } = batch.events;
  const { projectID, scope } = caller.credentials;
  const { refused, recordings } = await intake.log(projectID, batch, await rulesets.origin(projectID, scope));
  const named = refused.slice(0, MAX_REPORTED_EVENTS);
  if (refused.length === length && recordings === 0) {
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
