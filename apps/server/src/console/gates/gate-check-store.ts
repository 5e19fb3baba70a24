import { Prisma } from "../../generated/prisma/client.ts";
import type { StoreDeps } from "../../store/store-deps.ts";
import type { Db } from "../../store/unit-of-work.ts";
import { createCheckExposureStore } from "../common/check-exposure-store.ts";
import { computedChecks } from "../common/computed-checks-store.ts";
import { HOUR_MS } from "../common/hour.ts";
import type { Gate } from "./gate.ts";

/** Checks are data, like events: the event intake counts them, and the change log does not have them. */
export function createGateCheckStore({ db, projectID }: StoreDeps) {
  return {
    /** Called with the deletion of the gate, so that a new one with the same id starts without checks. */
    async delete(gateID: string): Promise<void> {
      await db.$executeRaw`delete from gate_checks where "projectID" = ${projectID} and "gateID" = ${gateID}`;
      await db.$executeRaw`delete from gate_rule_checks where "projectID" = ${projectID} and "gateID" = ${gateID}`;
      await createCheckExposureStore({ db, projectID }, "gate").delete(gateID);
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
