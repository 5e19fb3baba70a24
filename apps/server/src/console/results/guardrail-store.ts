import { notFound } from "../../errors.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { fromText } from "../../store/entity-text.ts";
import { matches } from "../../store/row.ts";
import type { StoreDeps } from "../../store/store-deps.ts";
import { noteEvent } from "../../store/trail.ts";
import type { Db } from "../../store/unit-of-work.ts";
import { randomID } from "../common/identifier.ts";
import type { Window } from "../common/page.ts";
import type { Gate } from "./gate.ts";
import type { GuardrailAlert, GuardrailLook } from "./guardrails.ts";

type AlertRow = {
  id: string;
  ruleID: string;
  metricID: string;
  raisedTime: bigint;
  finding: string;
  resolvedTime: bigint | null;
  resolvedBy: string | null;
  reasoning: string | null;
};

const ALERT_COLUMNS = Prisma.sql`id, "ruleID", "metricID", "raisedTime", finding, "resolvedTime", "resolvedBy", reasoning`;

/** What looks at guardrails found out, and alerts, are data: no version of a gate has them. */
export function createGuardrailStore(deps: StoreDeps) {
  const { db, projectID } = deps;
  const note = (entityID: string, details: Record<string, unknown>) =>
    noteEvent(db, { ...deps.by, entityType: "guardrail_alert", entityID, details });
  return {
    /** What the last look at a gate found out. */
    async look(gateID: string): Promise<{ lookTime: number | null; guardrails: GuardrailLook[] }> {
      const [row] = await db.$queryRaw<{ lookTime: bigint | null; found: string }[]>`
        select "lookTime", found from guardrail_look where ${matches({ projectID, gateID })}`;
      return { lookTime: row?.lookTime ? Number(row.lookTime) : null, guardrails: row ? JSON.parse(row.found) : [] };
    },

    /** Stores what a look found out, and raises an alert for what is beyond its guardrail and has none that is open. @param now ms */
    async save(gateID: string, found: readonly GuardrailLook[], now: number): Promise<void> {
      await db.$executeRaw`
        update guardrail_look set "lookTime" = ${now}, found = ${JSON.stringify(found)} where ${matches({ projectID, gateID })}`;
      const open = await db.$queryRaw<{ ruleID: string; metricID: string }[]>`
        select "ruleID", "metricID" from guardrail_alert where ${matches({ projectID, gateID })} and "resolvedTime" is null`;
      for (const { isBeyond, reason: _, ...finding } of found) {
        const { ruleID, metricID } = finding;
        if (!isBeyond || open.some((one) => one.ruleID === ruleID && one.metricID === metricID)) continue;
        const id = randomID();
        await db.$executeRaw`
          insert into guardrail_alert ("projectID", "gateID", ${ALERT_COLUMNS})
          values (${projectID}, ${gateID}, ${id}, ${ruleID}, ${metricID}, ${now}, ${JSON.stringify(finding)}, null, null, null)`;
        await note(id, { gateID, ...finding });
      }
    },

    /** Newest first. */
    async listAlerts(gateID: string, { skip, take }: Window): Promise<{ data: GuardrailAlert[]; total: number }> {
      const where = matches({ projectID, gateID });
      const [rows, [counted]] = await Promise.all([
        db.$queryRaw<AlertRow[]>`
          select ${ALERT_COLUMNS} from guardrail_alert where ${where} order by "raisedTime" desc, id limit ${take} offset ${skip}`,
        db.$queryRaw<{ total: number }[]>`select count(*)::int as total from guardrail_alert where ${where}`,
      ]);
      return { data: rows.map(alertOf), total: counted?.total ?? 0 };
    },

    /** Resolves the open alerts of a metric. @throws AppError not_found if there is none */
    async resolve(gateID: string, metricID: string, reasoning: string | null): Promise<void> {
      const resolved = await db.$queryRaw<{ id: string }[]>`
        update guardrail_alert set "resolvedTime" = ${deps.by.now}, "resolvedBy" = ${deps.by.actor.name}, reasoning = ${reasoning}
        where ${matches({ projectID, gateID, metricID })} and "resolvedTime" is null returning id`;
      if (resolved.length === 0) throw notFound("Open alert of the metric", metricID);
      for (const { id } of resolved) await note(id, { gateID, metricID, resolvedTime: deps.by.now, reasoning });
    },

    /** Called with the deletion of the gate. */
    async delete(gateID: string): Promise<void> {
      await db.$executeRaw`delete from guardrail_look where ${matches({ projectID, gateID })}`;
      await db.$executeRaw`delete from guardrail_alert where ${matches({ projectID, gateID })}`;
    },
  };
}

function alertOf({ finding, raisedTime, resolvedTime, ...row }: AlertRow): GuardrailAlert {
  return {
    ...(JSON.parse(finding) as Omit<GuardrailAlert, keyof AlertRow>),
    ...row,
    raisedTime: Number(raisedTime),
    resolvedTime: resolvedTime === null ? null : Number(resolvedTime),
  };
}

export type Guarded = { projectID: string; gate: Gate };

/** The gates in progress of all projects that have guardrails, and at which no replica began to look since a time, ms: the next ones after `after`. */
export async function listUnseenGates(db: Db, since: number, after: Guarded | undefined): Promise<Guarded[]> {
  const rows = await db.$queryRaw<{ projectID: string; entity: string }[]>`
    select "projectID", entity from gate
    where status = 'In Progress' and entity like '%"guardrail"%' and ("projectID", id) > (${after?.projectID ?? ""}, ${after?.gate.id ?? ""})
      and exists (select from project where project.id = gate."projectID" and "deletedTime" is null)
      and not exists (
        select from guardrail_look as seen where seen."projectID" = gate."projectID" and "gateID" = gate.id and "beginTime" > ${since}
      )
    order by "projectID", id limit 100`;
  return rows.map(({ projectID, entity }) => ({ projectID, gate: fromText<Gate>(entity) }));
}

/** Notes that a look at a gate begins now. @returns whether no replica has begun one since a time, ms */
export async function claimGuardrailLook(db: Db, { projectID, gate }: Guarded, now: number, since: number): Promise<boolean> {
  const claimed = await db.$executeRaw`
    insert into guardrail_look as kept ("projectID", "gateID", "beginTime", "lookTime", found)
    values (${projectID}, ${gate.id}, ${now}, null, '[]')
    on conflict ("projectID", "gateID") do update set "beginTime" = excluded."beginTime" where kept."beginTime" <= ${since}`;
  return claimed > 0;
}

/** Makes a look due again at once. */
export async function releaseGuardrailLook(db: Db, { projectID, gate }: Guarded): Promise<void> {
  await db.$executeRaw`update guardrail_look set "beginTime" = 0 where ${matches({ projectID, gateID: gate.id })}`;
}

/** Deletes looks that began while their gate was being deleted. */
export async function deleteOrphanedLooks(db: Db): Promise<void> {
  await db.$executeRaw`
    delete from guardrail_look as kept where not exists (
      select from gate where gate."projectID" = kept."projectID" and id = kept."gateID")`;
}
