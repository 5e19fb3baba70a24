import type { Schema } from "@gatehouse/contract/console";
import { Prisma } from "../../generated/prisma/client.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import { matches, name } from "../../store/database/row.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { countOnce } from "../../store/entities/totals.ts";
import { visibleKinds } from "../../store/entities/visible-kinds.ts";
import type { Window } from "../common/page.ts";
import type { Reference as NamedReference, ReferableType } from "../reference.ts";

type Reference = Schema<"Reference">;
type Referenced = { type: ReferableType; id: string };
/** An entity that has references. */
type Source = { type: string; id: string };
// biome-ignore lint/suspicious/noExplicitAny: entities of all kinds
type AnyEntity = any;

const MAX_PLACES = 10;

/** The index of references, read from the referenced entity. */
export function createReferenceStore(deps: StoreDeps) {
  const { db, projectID } = deps;
  const visible = visibleKinds(deps);
  return {
    /** The entities in use that reference an entity and that the caller may read: by type, then newest first. */
    async list(to: Referenced, { skip, take }: Window): Promise<{ data: Reference[]; total: number }> {
      const names = await readNames(to);
      const types = visible.map(({ type }) => type);
      const where = Prisma.sql`${matches({ projectID, toType: to.type })} and "toID" = any(${names}::text[])
        and "fromType" = any(${types}::text[])`;
      const [sources, total] = await Promise.all([
        // An entity may name a tag by its id and by its name.
        db.$queryRaw<Source[]>`
          select distinct "fromType" as type, "fromID" as id, "fromTime" from reference where ${where}
          order by "fromType", "fromTime" desc, "fromID" limit ${take} offset ${skip}`,
        countOnce(deps, Prisma.sql`select count(distinct ("fromType", "fromID"))::int from reference where ${where}`),
      ]);
      const read = await readEach(sources);
      return { data: sources.map((source) => describe(source, read.get(toKey(source)), to.type, names)), total };
    },
  };

  /** The names that other entities may reference an entity by: its id, and its name. */
  async function readNames({ type, id }: Referenced): Promise<string[]> {
    const kind = deps.kinds.map(({ kind }) => kind).find(({ named }) => named?.as === type);
    if (!kind?.getName) return [id];
    const [row] = await db.$queryRaw<{ id: string; name: string }[]>`
      select id, name from ${name(kind.table)} where ${matches({ projectID })} and (id = ${id} or name = ${id})
      order by id = ${id} desc limit 1`;
    return row ? [...new Set([row.id, row.name])] : [id];
  }

  async function readEach(sources: Source[]): Promise<Map<string, AnyEntity>> {
    const kinds = visible.filter(({ type }) => sources.some((source) => source.type === type));
    const rows = await Promise.all(
      kinds.map(async ({ type, table, idColumn = "id", scope }) => {
        const ids = sources.filter((source) => source.type === type).map(({ id }) => id);
        const found = await db.$queryRaw<{ id: string; entity: string }[]>`
          select ${name(idColumn)} as id, entity from ${name(table)}
          where ${matches({ projectID, ...scope })} and ${name(idColumn)} = any(${ids}::text[])`;
        return found.map(({ id, entity }) => [toKey({ type, id }), fromText(entity)] as const);
      }),
    );
    return new Map(rows.flat());
  }

  /** `entity` is undefined if it was deleted after the index was read. */
  function describe({ type, id }: Source, entity: AnyEntity, toType: ReferableType, names: string[]): Reference {
    const kind = visible.find((one) => one.type === type);
    const references: NamedReference[] = (entity && kind?.references?.(entity)) ?? [];
    const places = references.filter((one) => one.type === toType && names.includes(one.id)).map(({ place }) => place);
    return { type, id, name: typeof entity?.name === "string" ? entity.name : null, places: places.slice(0, MAX_PLACES) };
  }
}

const toKey = ({ type, id }: Source) => `${type} ${id}`;
