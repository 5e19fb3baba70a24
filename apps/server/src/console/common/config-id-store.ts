import { conflict } from "../../errors.ts";
import { matches, name } from "../../store/row.ts";
import type { StoreDeps } from "../../store/store-deps.ts";
import { title, words } from "../../store/words.ts";

type ConfigType = "dynamic_config" | "experiment";

/**
 * Keeps an id for a new dynamic config or experiment until the transaction ends. SDKs read both as configs, by id alone, so that one of
 * each with the same id could not be told apart. @throws AppError conflict if one of the other type has it
 */
export async function holdConfigID({ db, projectID }: StoreDeps, type: ConfigType, id: string): Promise<void> {
  const other = type === "experiment" ? "dynamic_config" : "experiment";
  // Of two that are made at once, the second looks only when the first is there.
  await db.$executeRaw`select pg_advisory_xact_lock(hashtextextended(${JSON.stringify(["config", projectID, id])}, 0))`;
  const taken = await db.$queryRaw<object[]>`select 1 from ${name(other)} where ${matches({ projectID, id })}`;
  if (taken.length === 0) return;
  throw conflict(`${title(other)} ${id} already exists, and no ${words(type)} may have its id: SDKs read both by id alone.`);
}
