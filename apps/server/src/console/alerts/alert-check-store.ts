import { notFound } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { recordAuditEvent } from "../../store/change-log/audit-event.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import { isOf, type Listed } from "../../store/database/listed.ts";
import { matches } from "../../store/database/row.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Window } from "../common/page.ts";
import { type Alert, checkIntervalMs } from "./alert.ts";
import { type AlertEvent, type CheckState, NOT_CHECKED, type Outcome, resolved } from "./alert-check.ts";

/** The newest events of each alert are kept. */
const MAX_EVENTS = 1_000;

type EventRow = { id: string; event: string };

/** Findings of checks, and events, are data: versions of an alert do not contain them. */
export function createAlertCheckStore(deps: StoreDeps) {
  const { db, projectID, by } = deps;
  const toKey = (alertID: string) => ({ projectID, alertID });

  async function lock(alertID: string): Promise<{ state: CheckState; beginTime: number } | undefined> {
    const [row] = await db.$queryRaw<{ state: string; beginTime: bigint }[]>`
      select state, "beginTime" from alert_check where ${matches(toKey(alertID))} for update`;
    return row && { state: JSON.parse(row.state), beginTime: Number(row.beginTime) };
  }

  async function write(alertID: string, { state, event, isReport }: Outcome): Promise<void> {
    await db.$executeRaw`update alert_check set state = ${JSON.stringify(state)} where ${matches(toKey(alertID))}`;
    if (!event) return;
    await db.$executeRaw`
      insert into alert_event ("projectID", id, "alertID", "createdTime", event)
      values (${projectID}, ${randomID()}, ${alertID}, ${event.createdTime}, ${JSON.stringify(event)})`;
    await db.$executeRaw`
      delete from alert_event where ${matches(toKey(alertID))} and number <= (
        select number from alert_event where ${matches(toKey(alertID))} order by number desc limit 1 offset ${MAX_EVENTS})`;
    const { eventType, reason, value } = event;
    if (!isReport)
      await recordAuditEvent(db, { ...by, entityType: "topline_alert", entityID: alertID, details: { eventType, reason, value } });
  }

  return {
    /** The findings of each alert's last check, by its id. */
    async find(alertIDs: readonly string[]): Promise<Map<string, CheckState>> {
      if (alertIDs.length === 0) return new Map();
      const rows = await db.$queryRaw<{ alertID: string; state: string }[]>`
        select "alertID", state from alert_check where "projectID" = ${projectID} and "alertID" = any(${[...alertIDs]}::text[])`;
      return new Map(rows.map(({ alertID, state }) => [alertID, JSON.parse(state)]));
    },

    /**
     * Stores the outcome of the check that began at a time, ms.
     * @returns false if another check has begun since, or someone has resolved the alert
     */
    async save(alertID: string, beginTime: number, decideOutcome: (before: CheckState) => Outcome): Promise<boolean> {
      const row = await lock(alertID);
      if (row?.beginTime !== beginTime) return false;
      await write(alertID, decideOutcome(row.state));
      return true;
    },

    /** Resolves an open alert. A check that has begun is not stored. @throws AppError not_found if the alert is not open */
    async resolve(alert: Alert, reasoning: string | null): Promise<void> {
      const row = await lock(alert.id);
      const outcome = row && resolved(row.state, alert, { name: by.actor.name, now: by.now, reasoning });
      if (!outcome) throw notFound("Open alert", alert.id);
      await db.$executeRaw`update alert_check set "beginTime" = ${by.now} where ${matches(toKey(alert.id))}`;
      await write(alert.id, outcome);
    },

    /** Newest first. */
    async listEvents(alertID: string, { skip, take }: Window): Promise<{ data: AlertEvent[]; total: number }> {
      const where = matches(toKey(alertID));
      const [rows, [counted]] = await Promise.all([
        db.$queryRaw<EventRow[]>`select id, event from alert_event where ${where} order by number desc limit ${take} offset ${skip}`,
        db.$queryRaw<{ total: number }[]>`select count(*)::int as total from alert_event where ${where}`,
      ]);
      return { data: rows.map(toEvent), total: counted?.total ?? 0 };
    },

    /** @throws AppError not_found */
    async getEvent(alertID: string, id: string): Promise<AlertEvent> {
      const [row] = await db.$queryRaw<EventRow[]>`select id, event from alert_event where ${matches({ ...toKey(alertID), id })}`;
      if (!row) throw notFound("Alert event", id);
      return toEvent(row);
    },

    /** Called with the deletion of the alert. */
    async delete(alertID: string): Promise<void> {
      await db.$executeRaw`delete from alert_check where ${matches(toKey(alertID))}`;
      await db.$executeRaw`delete from alert_event where ${matches(toKey(alertID))}`;
    },
  };
}

function toEvent({ id, event }: EventRow): AlertEvent {
  return { id, ...(JSON.parse(event) as Omit<AlertEvent, "id" | "multiAlertGroupBys">), multiAlertGroupBys: {} };
}

export type DueAlert = { projectID: string; alert: Alert };

/** The due alerts of all projects, without those whose check a replica has begun: the next ones after `after`. @param now ms */
export async function listDueAlerts(db: Db, now: number, { projectID, after }: Listed<DueAlert>): Promise<DueAlert[]> {
  const rows = await db.$queryRaw<{ projectID: string; entity: string }[]>`
    select "projectID", entity from alert
    where ("projectID", id) > (${after?.projectID ?? ""}, ${after?.alert.id ?? ""}) and ${isOf(projectID, Prisma.sql`alert."projectID"`)}
      and exists (select from project where project.id = alert."projectID" and "deletedTime" is null)
      and not exists (
        select from alert_check as seen where seen."projectID" = alert."projectID" and "alertID" = alert.id
          and seen.version = alert.version and "beginTime" > ${now} - "checkIntervalMs"
      )
    order by "projectID", id limit 100`;
  return rows.map(({ projectID, entity }) => ({ projectID, alert: fromText<Alert>(entity) }));
}

/** Notes that a check begins now, ms. @returns false if another replica has begun one for which none was due since */
export async function claimAlertCheck(db: Db, { projectID, alert }: DueAlert, now: number): Promise<boolean> {
  const claimed = await db.$executeRaw`
    insert into alert_check as kept ("projectID", "alertID", version, "beginTime", state)
    values (${projectID}, ${alert.id}, ${alert.version}, ${now}, ${JSON.stringify(NOT_CHECKED)})
    on conflict ("projectID", "alertID") do update set "beginTime" = excluded."beginTime", version = excluded.version
    where kept.version <> excluded.version or kept."beginTime" <= ${now - checkIntervalMs(alert)}`;
  return claimed > 0;
}

/** Deletes data of checks that began while their alert was being deleted. */
export async function deleteOrphanedAlertChecks(db: Db): Promise<void> {
  await db.$executeRaw`
    delete from alert_check as kept where not exists (select from alert where alert."projectID" = kept."projectID" and id = kept."alertID")`;
}
