import { Prisma } from "../../generated/prisma/client.ts";
import type { StoreDeps } from "../../store/store-deps.ts";
import type { Db } from "../../store/unit-of-work.ts";
import { foundChecks } from "../common/found-checks-store.ts";
import { HOUR_MS } from "../common/hour.ts";
import type { DynamicConfig } from "./dynamic-config.ts";

/** Checks are data, as events are: the event intake adds them up. */
export function createDynamicConfigCheckStore({ db, projectID }: StoreDeps) {
  return {
    /** With their dynamic config: one that is made again under its id shows nothing of its former life. */
    async delete(configID: string): Promise<void> {
      await db.$executeRaw`delete from dynamic_config_checks where "projectID" = ${projectID} and "configID" = ${configID}`;
    },
  };
}

/** Forgets the checks of all dynamic configs in the hours that ended before a time, ms since the epoch. */
export async function forgetOldConfigChecks(db: Db, before: number): Promise<void> {
  await db.$executeRaw`delete from dynamic_config_checks where "hour" <= ${before - HOUR_MS}::bigint`;
}

const COUNTED = { table: Prisma.sql`dynamic_config_checks`, id: Prisma.sql`"configID"`, checks: Prisma.sql`"checks"` };

/** @param now ms since the epoch */
export const foundConfigChecks = (now: number) => foundChecks<DynamicConfig>(now, COUNTED);
