import type { Schema } from "@gatehouse/contract/console";
import { notFound } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { recordAuditEvent } from "../../store/change-log/audit-event.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import { isOf, type Listed } from "../../store/database/listed.ts";
import { matches, name } from "../../store/database/row.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Window } from "../common/page.ts";
import { type Guardable, type GuardedType, WATCHED_STATUSES } from "./guardable.ts";

type Outcome = Schema<"GuardrailOutcome">;
type AlertState = Schema<"GuardrailAlertState">;
type FoundCheck = Pick<Schema<"GuardrailNumbers">, "metricID"> & Outcome;

type AlertRow = Omit<AlertState, "raisedTime" | "resolvedTime"> & { raisedTime: bigint; resolvedTime: bigint | null; finding: string };

/** @param getPartID the rule of a gate, or the group of an experiment */
type Guarding<Found extends FoundCheck> = { type: GuardedType; getPartID: (check: Found) => string };

/** Findings of guardrail checks, and alerts, are data: no version of a gate or experiment has them. */
export function createGuardrailStore<Found extends FoundCheck>(deps: StoreDeps, { type, getPartID }: Guarding<Found>) {
  const { db, projectID } = deps;
  const of = (subjectID: string) => ({ projectID, subjectType: type, subjectID });
  const note = (subjectID: string, entityID: string, details: object) =>
    recordAuditEvent(db, { ...deps.by, entityType: "guardrail_alert", entityID, details: { [`${type}ID`]: subjectID, ...details } });
  /** The parts and metrics that have an open alert. */
  const listOpen = (id: string) =>
    db.$queryRaw<{ partID: string; metricID: string }[]>`
      select "partID", "metricID" from guardrail_alert where ${matches(of(id))} and "resolvedTime" is null order by "metricID", "partID"`;
  return {
    listOpen,

    /** The parts and metrics of several gates or experiments that have an open alert. */
    listOpenOf: (ids: readonly string[]) =>
      db.$queryRaw<{ subjectID: string; partID: string; metricID: string }[]>`
        select "subjectID", "partID", "metricID" from guardrail_alert
        where "projectID" = ${projectID} and "subjectType" = ${type} and "subjectID" = any(${[...ids]}::text[]) and "resolvedTime" is null
        order by "metricID", "partID"`,

    /** The findings of the last check. */
    async lastCheck(id: string): Promise<{ checkedTime: number | null; guardrails: Found[] }> {
      const [row] = await db.$queryRaw<{ checkedTime: bigint | null; found: string }[]>`
        select "checkedTime", found from guardrail_check where ${matches(of(id))}`;
      return { checkedTime: row?.checkedTime ? Number(row.checkedTime) : null, guardrails: row ? JSON.parse(row.found) : [] };
    },

    /** Stores a check's findings, and raises an alert for metrics beyond their guardrail without an open alert. @param now ms */
    async save(id: string, found: readonly Found[], now: number): Promise<void> {
      await db.$executeRaw`update guardrail_check set "checkedTime" = ${now}, found = ${JSON.stringify(found)} where ${matches(of(id))}`;
      const open = await listOpen(id);
      for (const check of found) {
        const { isBeyond, reason: _, ...finding } = check;
        const [partID, { metricID }] = [getPartID(check), check];
        if (!isBeyond || open.some((one) => one.partID === partID && one.metricID === metricID)) continue;
        const alertID = randomID();
        await db.$executeRaw`
          insert into guardrail_alert ("projectID", id, "subjectType", "subjectID", "partID", "metricID", "raisedTime", finding)
          values (${projectID}, ${alertID}, ${type}, ${id}, ${partID}, ${metricID}, ${now}, ${JSON.stringify(finding)})`;
        await note(id, alertID, finding);
      }
    },

    /** Makes the next check due at once. */
    async recheck(id: string): Promise<void> {
      await db.$executeRaw`update guardrail_check set "beginTime" = 0 where ${matches(of(id))}`;
    },

    /** Newest first. */
    async listAlerts(id: string, { skip, take }: Window): Promise<{ data: (Omit<Found, keyof Outcome> & AlertState)[]; total: number }> {
      const where = matches(of(id));
      const [rows, [counted]] = await Promise.all([
        db.$queryRaw<AlertRow[]>`
          select id, "raisedTime", finding, "resolvedTime", "resolvedBy", reasoning from guardrail_alert
          where ${where} order by "raisedTime" desc, id limit ${take} offset ${skip}`,
        db.$queryRaw<{ total: number }[]>`select count(*)::int as total from guardrail_alert where ${where}`,
      ]);
      return { data: rows.map(toAlert<Omit<Found, keyof Outcome>>), total: counted?.total ?? 0 };
    },

    /** Resolves the open alerts of a metric. @throws AppError not_found without an open alert */
    async resolve(id: string, metricID: string, reasoning: string | null): Promise<void> {
      const resolved = await db.$queryRaw<{ id: string }[]>`
        update guardrail_alert set "resolvedTime" = ${deps.by.now}, "resolvedBy" = ${deps.by.actor.name}, reasoning = ${reasoning}
        where ${matches({ ...of(id), metricID })} and "resolvedTime" is null returning id`;
      if (resolved.length === 0) throw notFound("Open alert of the metric", metricID);
      for (const alert of resolved) await note(id, alert.id, { metricID, resolvedTime: deps.by.now, reasoning });
    },

    /** Called with the deletion of the gate or experiment, and with the reset of an experiment. */
    async delete(id: string): Promise<void> {
      await db.$executeRaw`delete from guardrail_check where ${matches(of(id))}`;
      await db.$executeRaw`delete from guardrail_alert where ${matches(of(id))}`;
    },
  };
}

function toAlert<Finding>({ finding, raisedTime, resolvedTime, ...row }: AlertRow): Finding & AlertState {
  return {
    ...(JSON.parse(finding) as Finding),
    ...row,
    raisedTime: Number(raisedTime),
    resolvedTime: resolvedTime === null ? null : Number(resolvedTime),
  };
}

export type Guarded<Type extends GuardedType> = { projectID: string; type: Type; entity: Guardable[Type] };

/**
 * The gates or experiments of all projects that are in use and have guardrails, without a check since a time, ms: the next ones after
 * `after`.
 */
export async function listUnseen<Type extends GuardedType>(
  db: Db,
  type: Type,
  since: number,
  { projectID, after }: Listed<Guarded<Type>>,
): Promise<Guarded<Type>[]> {
  const rows = await db.$queryRaw<{ projectID: string; entity: string }[]>`
    select "projectID", entity from ${name(type)} as guarded
    where status = any(${WATCHED_STATUSES[type]}::text[]) and entity like '%"maxHarmPercent"%'
      and ("projectID", id) > (${after?.projectID ?? ""}, ${after?.entity.id ?? ""}) and ${isOf(projectID, Prisma.sql`guarded."projectID"`)}
      and exists (select from project where project.id = guarded."projectID" and "deletedTime" is null)
      and not exists (
        select from guardrail_check as seen
        where seen."projectID" = guarded."projectID" and "subjectType" = ${type} and "subjectID" = guarded.id and "beginTime" > ${since}
      )
    order by "projectID", id limit 100`;
  return rows.map(({ projectID, entity }) => ({ projectID, type, entity: fromText<Guardable[Type]>(entity) }));
}

/** Notes that a check begins now. @returns whether no replica has begun one since a time, ms */
export async function claimGuardrailCheck(db: Db, guarded: Guarded<GuardedType>, now: number, since: number): Promise<boolean> {
  const { projectID, type, entity } = guarded;
  const claimed = await db.$executeRaw`
    insert into guardrail_check as kept ("projectID", "subjectType", "subjectID", "beginTime", "checkedTime", found)
    values (${projectID}, ${type}, ${entity.id}, ${now}, null, '[]')
    on conflict ("projectID", "subjectType", "subjectID") do update set "beginTime" = excluded."beginTime" where kept."beginTime" <= ${since}`;
  return claimed > 0;
}

/** Makes all checks of a project due again at once. */
export async function repeatGuardrailChecks(db: Db, projectID: string): Promise<void> {
  await db.$executeRaw`update guardrail_check set "beginTime" = 0 where "projectID" = ${projectID}`;
}

/** Makes a check due again at once. */
export async function releaseGuardrailCheck(db: Db, { projectID, type, entity }: Guarded<GuardedType>): Promise<void> {
  const key = { projectID, subjectType: type, subjectID: entity.id };
  await db.$executeRaw`update guardrail_check set "beginTime" = 0 where ${matches(key)}`;
}

/** Deletes checks that began while their gate or experiment was being deleted. */
export async function deleteOrphanedGuardrailChecks(db: Db): Promise<void> {
  for (const type of Object.keys(WATCHED_STATUSES)) {
    await db.$executeRaw`
      delete from guardrail_check as kept where "subjectType" = ${type} and not exists (
        select from ${name(type)} as guarded where guarded."projectID" = kept."projectID" and id = kept."subjectID")`;
  }
}
