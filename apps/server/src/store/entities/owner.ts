import { matches, name } from "../database/row.ts";
import type { StoreDeps } from "./store-deps.ts";

/** The entity that overrides belong to; null if it does not exist. */
export async function findOwner<Owner>({ db, projectID }: StoreDeps, ownerType: string, id: string): Promise<Owner | null> {
  const rows = await db.$queryRaw<{ entity: string }[]>`select entity from ${name(ownerType)} where ${matches({ projectID, id })}`;
  return rows[0] ? JSON.parse(rows[0].entity) : null;
}
