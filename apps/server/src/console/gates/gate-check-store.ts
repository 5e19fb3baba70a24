import { Prisma } from "../../generated/prisma/client.ts";
import type { Found } from "../../store/entity-store.ts";
import type { StoreContext } from "../../store/store-context.ts";
import type { Db } from "../../store/unit-of-work.ts";
import type { Gate } from "./gate.ts";
import { HOUR } from "./gate-checks.ts";

/** Checks are data, as events are: the event intake adds them up. */
export function createGateCheckStore({ db, projectID }: StoreContext) {
  return {
    /** With their gate: one that is made again under its id shows nothing of its former life. */
    async delete(gateID: string): Promise<void> {
      await db.$executeRaw`delete from gate_checks where "projectID" = ${projectID} and "gateID" = ${gateID}`;
    },

    /** Whether a gate was checked since a time, ms, in one of the environments. */
    async wasChecked(gateID: string, environments: string[], since: number): Promise<boolean> {
      const rows = await db.$queryRaw<unknown[]>`
        select 1 from gate_checks where "projectID" = ${projectID} and "gateID" = ${gateID} and "hour" >= ${since}
        and "environment" = any(${environments}::text[]) limit 1`;
      return rows.length > 0;
    },
  };
}

/** Forgets the checks of all gates in the hours that ended before a time, ms since the epoch. */
export async function forgetOldChecks(db: Db, before: number): Promise<void> {
  await db.$executeRaw`delete from gate_checks where "hour" <= ${before - HOUR}::bigint`;
}

/**
 * About how often a gate was checked within the last hour: so often as in the hour that the clock shows, and of the hour before as much as
 * reaches into the last 60 minutes. @param now ms since the epoch
 */
export function foundChecks(now: number): Found<Gate> {
  const hour = now - (now % HOUR);
  const share = 1 - (now - hour) / HOUR;
  return {
    // Rounded up: zero means that it was not checked at all.
    column: (gate) => Prisma.sql`(
      select coalesce(ceil(round(
        sum(("passes" + "fails" + "empties") * case when "hour" < ${hour}::bigint then ${share}::numeric else 1 end), 6
      )), 0)::float8
      from gate_checks as checks
      where checks."projectID" = ${gate}."projectID" and "gateID" = ${gate}."id" and "hour" >= ${hour - HOUR}::bigint)`,
    put: (gate, checksPerHour) => (gate.checksPerHour === checksPerHour ? gate : { ...gate, checksPerHour: checksPerHour as number }),
  };
}
