import { Prisma } from "../../generated/prisma/client.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import { name } from "../../store/database/row.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Window } from "../common/page.ts";
import { type Guardable, type GuardedType, WATCHED_STATUSES } from "./guardable.ts";
import { type OpenAlertRow, type OpenGuardrailAlert, toOpenAlert } from "./open-guardrail-alert.ts";

const TYPES = Object.keys(WATCHED_STATUSES) as GuardedType[];

/** Reads the open alerts of all gates and experiments whose guardrails are checked. */
export function createOpenGuardrailAlertStore({ db, projectID }: Pick<StoreDeps, "db" | "projectID">) {
  const isWatched = Prisma.join(
    TYPES.map(
      (type) => Prisma.sql`("subjectType" = ${type} and exists (
        select from ${name(type)} as guarded where guarded."projectID" = ${projectID} and guarded.id = "subjectID"
          and status = any(${WATCHED_STATUSES[type]}::text[])))`,
    ),
    " or ",
  );
  const isListed = Prisma.sql`"projectID" = ${projectID} and "resolvedTime" is null and (${isWatched})`;

  /** Each gate or experiment is read once, however many alerts of the page it has. */
  async function readEntities(type: GuardedType, rows: readonly OpenAlertRow[]): Promise<[string, Guardable[GuardedType]][]> {
    const ids = [...new Set(rows.filter((row) => row.subjectType === type).map(({ subjectID }) => subjectID))];
    if (ids.length === 0) return [];
    const found = await db.$queryRaw<{ id: string; entity: string }[]>`
      select id, entity from ${name(type)} where "projectID" = ${projectID} and id = any(${ids}::text[])`;
    return found.map(({ id, entity }) => [`${type} ${id}`, fromText<Guardable[GuardedType]>(entity)]);
  }

  return {
    /** Newest first. */
    async list({ skip, take }: Window): Promise<{ data: OpenGuardrailAlert[]; total: number }> {
      const [rows, [counted]] = await Promise.all([
        db.$queryRaw<OpenAlertRow[]>`
          select id, "subjectType", "subjectID", "partID", "metricID", "raisedTime", finding from guardrail_alert
          where ${isListed} order by "raisedTime" desc, id limit ${take} offset ${skip}`,
        db.$queryRaw<{ total: number }[]>`select count(*)::int as total from guardrail_alert where ${isListed}`,
      ]);
      const entities = new Map((await Promise.all(TYPES.map((type) => readEntities(type, rows)))).flat());
      // A gate or experiment that was deleted since has no alerts.
      const data = rows.flatMap((row) => {
        const entity = entities.get(`${row.subjectType} ${row.subjectID}`);
        return entity === undefined ? [] : [toOpenAlert(row, entity)];
      });
      return { data, total: counted?.total ?? 0 };
    },
  };
}
