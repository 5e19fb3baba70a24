import { INSTANCE_PROJECT } from "../common/context.ts";
import type { Db } from "../store/database/unit-of-work.ts";

/** Locks a person until the transaction ends, so that a sign-in waits while their second factors change. */
export async function lockPerson(db: Db, id: string): Promise<void> {
  await db.$queryRaw`select 1 from person where "projectID" = ${INSTANCE_PROJECT} and id = ${id} for update`;
}
