import { HOUR_MS } from "../../common/utc-day.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { createCheckExposureStore } from "../common/check-exposure-store.ts";
import { computedChecks } from "../common/computed-checks-store.ts";
import type { Gate } from "./gate.ts";
import type { ChecksRange, HourChecks, RuleChecks } from "./gate-checks.ts";

/** The most rules whose checks are shown. */
const MAX_RULES_SHOWN = 100;

/** Checks are data, like events: the event intake counts them, and the change log does not have them. */
export function createGateCheckStore({ db, projectID }: StoreDeps) {
  return {
    /** Called with the deletion of the gate, so that a new one with the same id starts without checks. */
    async delete(gateID: string): Promise<void> {
      await db.$executeRaw`delete from gate_checks where "projectID" = ${projectID} and "gateID" = ${gateID}`;
      await db.$executeRaw`delete from gate_rule_checks where "projectID" = ${projectID} and "gateID" = ${gateID}`;
      await createCheckExposureStore({ db, projectID }, "gate").delete(gateID);
    },

    /** The checks of the rules that decided most often, sorted by time. @param environment in lower case; undefined means all */
    async byRule(gateID: string, { start, end, length }: ChecksRange, environment: string | undefined): Promise<RuleChecks[]> {
      const ofGate = Prisma.sql`"projectID" = ${projectID} and "gateID" = ${gateID} and "hour" >= ${start}::bigint and "hour" < ${end}::bigint
        ${environment === undefined ? Prisma.empty : Prisma.sql`and "environment" = ${environment}`}`;
      const rows = await db.$queryRaw<{ ruleID: string; time: bigint; passes: string; fails: string }[]>`
        select "ruleID", "hour" / ${length}::bigint * ${length}::bigint as "time",
          sum("passes")::text as "passes", sum("fails")::text as "fails"
        from gate_rule_checks
        where ${ofGate} and "ruleID" in (
          select "ruleID" from gate_rule_checks where ${ofGate} group by 1 order by sum("passes" + "fails") desc, 1 limit ${MAX_RULES_SHOWN}
        )
        group by 1, 2 order by 2, 1`;
      return rows.map(({ ruleID, time, passes, fails }) => ({
        ruleID,
        time: Number(time),
        passes: Number(passes),
        fails: Number(fails),
      }));
    },

    /** The checks of all gates since a time, ms since the epoch, by environment and hour. The environment is empty where a check named none. */
    async byEnvironment(since: number): Promise<HourChecks[]> {
      // `offset 0` makes the database read only the last hours of each gate, since checks have no index by time.
      const rows = await db.$queryRaw<{ environment: string; hour: bigint; checks: number }[]>`
        select environment, "hour", sum(checks)::float8 as checks
        from gate cross join lateral (
          select environment, "hour", "passes" + "fails" + "empties" as checks from gate_checks as counted
          where counted."projectID" = gate."projectID" and counted."gateID" = gate.id and "hour" >= ${since}::bigint offset 0
        ) as lately
        where gate."projectID" = ${projectID} group by 1, 2`;
      return rows.map(({ hour, ...row }) => ({ ...row, hour: Number(hour) }));
    },

    /** Whether a gate was checked in one of the environments since a time, ms since the epoch. */
    async wasChecked(gateID: string, environments: string[], since: number): Promise<boolean> {
      const rows = await db.$queryRaw<unknown[]>`
        select 1 from gate_checks where "projectID" = ${projectID} and "gateID" = ${gateID} and "hour" >= ${since}
        and "environment" = any(${environments}::text[]) limit 1`;
      return rows.length > 0;
    },
  };
}

/** Deletes the checks of all gates in hours that ended before a time, ms since the epoch. */
export async function deleteOldChecks(db: Db, before: number): Promise<void> {
  await db.$executeRaw`delete from gate_checks where "hour" <= ${before - HOUR_MS}::bigint`;
  await db.$executeRaw`delete from gate_rule_checks where "hour" <= ${before - HOUR_MS}::bigint`;
}

const COUNTED = { table: Prisma.sql`gate_checks`, id: Prisma.sql`"gateID"`, checks: Prisma.sql`("passes" + "fails" + "empties")` };

/** @param now ms since the epoch */
export const computedGateChecks = (now: number) => computedChecks<Gate>(now, COUNTED);
