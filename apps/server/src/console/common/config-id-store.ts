import { conflict } from "../../common/errors.ts";
import { title, words } from "../../common/words.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { lock } from "../../store/database/locks.ts";
import { matches, name } from "../../store/database/row.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";

const CONFIG_TYPES = ["autotune", "dynamic_config", "experiment"] as const;
type ConfigType = (typeof CONFIG_TYPES)[number];

/**
 * Reserves an id for a new autotune, dynamic config or experiment until the transaction ends. SDKs look up all of them as configs, by id alone,
 * so no two of different types can share an id. @throws AppError conflict if another type uses the id
 */
export async function reserveConfigID({ db, projectID }: StoreDeps, type: ConfigType, id: string): Promise<void> {
  // Serializes concurrent creations: the second looks after the first has committed.
  await lock(db, JSON.stringify(["config", projectID, id]));
  const others = CONFIG_TYPES.filter((other) => other !== type);
  const found = others.map((other) => Prisma.sql`select ${other}::text as "type" from ${name(other)} where ${matches({ projectID, id })}`);
  const [taken] = await db.$queryRaw<{ type: string }[]>`${Prisma.join(found, " union all ")}`;
  if (!taken) return;
  throw conflict(`${title(taken.type)} ${id} already exists, and no ${words(type)} may have its id: SDKs read both by id alone.`);
}
