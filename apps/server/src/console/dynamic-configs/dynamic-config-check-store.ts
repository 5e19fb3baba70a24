import { HOUR_MS } from "../../common/utc-day.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { computedChecks } from "../common/computed-checks-store.ts";
import type { DynamicConfig } from "./dynamic-config.ts";

/** Checks are data, like events: the event intake counts them, and the change log does not have them. */
export function createDynamicConfigCheckStore({ db, projectID }: StoreDeps) {
  return {
    /** Called with the deletion of the dynamic config, so that a new one with the same id starts without checks. */
    async delete(configID: string): Promise<void> {
      await db.$executeRaw`delete from dynamic_config_checks where "projectID" = ${projectID} and "configID" = ${configID}`;
    },
  };
}

/** Deletes the checks of all dynamic configs in hours that ended before a time, ms since the epoch. */
export async function deleteOldConfigChecks(db: Db, before: number): Promise<void> {
  await db.$executeRaw`delete from dynamic_config_checks where "hour" <= ${before - HOUR_MS}::bigint`;
}

const COUNTED = { table: Prisma.sql`dynamic_config_checks`, id: Prisma.sql`"configID"`, checks: Prisma.sql`"checks"` };

/** @param now ms since the epoch */
export const computedConfigChecks = (now: number) => computedChecks<DynamicConfig>(now, COUNTED);
