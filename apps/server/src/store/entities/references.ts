import { conflict, invalid, type Violation } from "../../common/errors.ts";
import { listed, title, words } from "../../common/words.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { matches, name, type Row } from "../database/row.ts";
import type { Table } from "../database/table.ts";
import type { Db } from "../database/unit-of-work.ts";
import type { Versioned } from "../requests/entity-tag.ts";
import type { Reference } from "./reference.ts";
import { without } from "./reference.ts";
import { requireNoCycle } from "./reference-cycle.ts";
import type { StoreDeps } from "./store-deps.ts";

/** How new references of one type are checked. */
export type Target =
  /** The target must exist and not be archived. */
  | { check: "exists"; table: Table; idColumn: string; isArchived: Prisma.Sql }
  /** Missing targets are created. */
  | { check: "made"; register(deps: StoreDeps, references: Reference[]): Promise<void> }
  /** The slice of the referencing entity has looked up the target and locked it. */
  | { check: "by its referrer" }
  /** A reference may name an entity that does not exist yet. */
  | { check: "may be missing" };

type Existing = Extract<Target, { check: "exists" }>;

/** How references of each type are checked. */
export type Targets = { readonly [type: string]: Target };

/** The most referencing entities that an error lists. */
const MAX_NAMED_REFERRERS = 10;

/** An entity with references. */
type Source = { type: string; id: string; entity: Versioned };
/** An entity that others may reference. */
type Subject = { table: Table; key: Row; type: string; id: string; name?: string };

/**
 * The index of references, updated with the writes of entities. Only new references are checked, so that an entity whose target was deleted
 * by force can still be changed.
 */
export function createReferences(deps: StoreDeps) {
  const { db, projectID, targets } = deps;
  return {
    /**
     * Checks the new references of an entity.
     * @returns the statements that update the index, to be run with the write
     * @throws AppError invalid_request with every invalid new reference
     */
    async check(source: Source, before: Reference[], after: Reference[]): Promise<Prisma.Sql[]> {
      const added = without(after, before);
      const removed = without(before, after);
      if (added.length > 0) {
        await requireTargets(added);
        await requireNoCycle(db, projectID, source, added);
      }
      return [
        ...(added.length > 0 ? [insertion(projectID, source, added)] : []),
        ...(removed.length > 0 ? [deletion(source, removed)] : []),
      ];
    },

    /**
     * Checks that an entity may be deleted or archived. Locks its row first, so that new references have to wait.
     * @returns the remaining references with `force`, for the change log
     * @throws AppError conflict without `force`, listing the references
     */
    async release({ table, key, type, id, name: called = id }: Subject, fate: string, force = false): Promise<string | undefined> {
      await db.$queryRaw`select 1 from ${name(table)} where ${matches(key)} for update`;
      const referrers = await describeReferrers(type, [id, called]);
      if (referrers === undefined) return undefined;
      if (force) return `Forced while referenced by ${referrers}.`;
      throw conflict(`${title(type)} ${called} cannot be ${fate}: it is referenced by ${referrers}. Use forceArchive to do it anyway.`);
    },
    /** Checks that names which are not rows of their own may be dropped. @throws AppError conflict for the first referenced one */
    async requireUnreferenced(type: string, names: string[], fate: string): Promise<void> {
      for (const name of names) {
        const referrers = await describeReferrers(type, [name]);
        if (referrers !== undefined) throw conflict(`${title(type)} ${name} cannot be ${fate}: it is referenced by ${referrers}.`);
      }
    },
  };

  async function requireTargets(added: Reference[]): Promise<void> {
    // Every request locks types in the same order, which avoids deadlocks.
    const types = [...new Set(added.map((reference) => reference.type))].sort();
    const missing = await Promise.all(
      types.map(async (type) => {
        const references = added.filter((reference) => reference.type === type);
        const target = targets[type];
        if (!target) throw new Error(`Nothing checks references of type ${type}.`);
        if (target.check === "exists") return findMissing(target, references);
        if (target.check === "made") await target.register(deps, references);
        return [];
      }),
    );
    const violations = missing.flat();
    const order = new Map(added.map(({ place }, index) => [place, index]));
    violations.sort((a, b) => (order.get(a.property) ?? 0) - (order.get(b.property) ?? 0));
    if (violations.length > 0) throw invalid(violations);
  }

  /** Locks the targets against deletion until the transaction ends. */
  async function findMissing({ table, idColumn, isArchived }: Existing, references: Reference[]): Promise<Violation[]> {
    const ids = references.map(({ id }) => id).sort();
    const rows = await db.$queryRaw<{ id: string; isArchived: boolean }[]>`
      select ${name(idColumn)} as id, ${isArchived} as "isArchived" from ${name(table)}
      where "projectID" = ${projectID} and ${name(idColumn)} = any(${ids}::text[])
      order by ${name(idColumn)} for key share`;
    const states = new Map(rows.map((row) => [row.id, row.isArchived ? "is archived" : "is there"]));
    return references.flatMap(({ type, id, place }) => {
      const state = states.get(id) ?? "does not exist";
      return state === "is there" ? [] : [{ property: place, errorMessage: `references ${words(type)} ${id}, which ${state}` }];
    });
  }

  function deletion({ type, id }: Source, removed: Reference[]): Prisma.Sql {
    return Prisma.sql`
      delete from reference where "projectID" = ${projectID} and "fromType" = ${type} and "fromID" = ${id}
      and ("toType", "toID") in (select * from unnest(${types(removed)}::text[], ${ids(removed)}::text[]))`;
  }

  /** `gate new_checkout, experiment prices, and 3 more`; undefined without references to any of its names. */
  async function describeReferrers(type: string, names: string[]): Promise<string | undefined> {
    const rows = await db.$queryRaw<{ type: string; id: string; total: number }[]>`
      select "fromType" as type, "fromID" as id, count(*) over ()::int as total from reference
      where "projectID" = ${projectID} and "toType" = ${type} and "toID" = any(${names}::text[])
      order by "fromType", "fromID" limit ${MAX_NAMED_REFERRERS}`;
    if (rows.length === 0) return undefined;
    const more = (rows[0]?.total ?? 0) - rows.length;
    const named = rows.map((row) => `${words(row.type)} ${row.id}`);
    return more > 0 ? listed([...named, `${more} more`]) : named.join(", ");
  }
}

/** Replaces the references of an entity without checking them. */
export async function replaceReferences(
  db: Db,
  { projectID, ...source }: Source & { projectID: string },
  references: Reference[],
): Promise<void> {
  await db.$executeRaw`delete from reference where "projectID" = ${projectID} and "fromType" = ${source.type} and "fromID" = ${source.id}`;
  if (references.length > 0) await db.$executeRaw(insertion(projectID, source, references));
}

function insertion(projectID: string, { type, id, entity }: Source, added: Reference[]): Prisma.Sql {
  return Prisma.sql`
    insert into reference ("projectID", "fromType", "fromID", "fromTime", "toType", "toID")
    select ${projectID}, ${type}, ${id}, ${entity.createdTime ?? 0}, added.* from unnest(${types(added)}::text[], ${ids(added)}::text[]) as added
    on conflict do nothing`;
}

const types = (references: Reference[]) => references.map(({ type }) => type);
const ids = (references: Reference[]) => references.map(({ id }) => id);
