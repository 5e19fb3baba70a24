import type { KeyScope } from "../../common/context.ts";
import { toWaiting, type WaitingBatch } from "../../evaluation/events/event-batch.ts";
import { toEvent } from "../../evaluation/events/exposure.ts";
import { type EventRow, readEvent } from "../../evaluation/events/logged-event.ts";
import { applyUpdate, readUpdate } from "../../evaluation/rulesets/loaded-project.ts";
import { createViews } from "../../evaluation/rulesets/views.ts";
import type { Database } from "../../store/database/database.ts";
import { type Day, type LogEvent, replayDay, type Shown } from "./shop-day.ts";

/** The `source` of the sample project's events. */
const SOURCE = "sample";
/** The key of the shop's application: a server key without limits. */
const SCOPE: KeyScope = { type: "SERVER", environments: [], targetApps: [] };

/**
 * The events of a day of the sample project. Its ruleset of now decides what customers see, as it would in an SDK. Undefined if the project
 * does not exist.
 */
export async function readShopDay(database: Database, projectID: string, day: Day): Promise<WaitingBatch | undefined> {
  const update = await readUpdate(database, projectID);
  if (!update) return undefined;
  const { loaded } = applyUpdate(update, day.endTime);
  const { evaluator, origin } = createViews(() => day.endTime).of(loaded, SCOPE);
  const rows: EventRow[] = [];
  const log: LogEvent = (event) => add(event);
  const shown: Shown = {
    gate: (name, user, time) =>
      add(toEvent({ kind: "gate", name, user, source: SOURCE, origin, evaluation: evaluator.gate(name, user) }, time)),
    config(name, user, time) {
      const evaluation = evaluator.config(name, user);
      add(toEvent({ kind: "config", name, user, source: SOURCE, origin, evaluation }, time));
      return evaluation.ruleID;
    },
  };
  function add(event: object): void {
    const row = readEvent(event, { ...origin, now: day.endTime, keepsUserFields: true });
    if ("reason" in row) throw new Error(`An event of the sample project is not valid: ${row.reason}`);
    rows.push(row);
  }
  replayDay(day, shown, log);
  return toWaiting(projectID, SOURCE, rows, `day ${day.number}`);
}
