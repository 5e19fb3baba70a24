import { conflict } from "../../errors.ts";
import { matches, name } from "../../store/row.ts";
import type { StoreDeps } from "../../store/store-deps.ts";
import { title, words } from "../../store/words.ts";

type ConfigType = "dynamic_config" | "experiment";

/**
 * Reserves an id for a new dynamic config or experiment until the transaction ends. SDKs look up both as configs, by id alone, so a dynamic
 * config and an experiment cannot share an id. @throws AppError conflict if the other type uses the id
 */
export async function reserveConfigID({ db, projectID }: StoreDeps, type: ConfigType, id: string): Promise<void> {
  const other = type === "experiment" ? "dynamic_config" : "experiment";
  // Serializes concurrent creations: the second looks after the first has committed.
  await db.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(["config", projectID, id])}, 0))`;
  const taken = await db.$queryRaw<object[]>`select 1 from ${name(other)} where ${matches({ projectID, id })}`;
  if (taken.length === 0) return;
  throw conflict(`${title(other)} ${id} already exists, and no ${words(type)} may have its id: SDKs read both by id alone.`);
}
