import { notFound } from "../../common/errors.ts";
import { requirePermissions } from "../../common/permissions.ts";
import { title, words } from "../../common/words.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { joinReasons } from "../change-log/change-log.ts";
import { asRead, fromText, toText } from "../change-log/entity-text.ts";
import { matches, name, type Row } from "../database/row.ts";
import type { Versioned } from "../requests/entity-tag.ts";
import { beginningColumns, deriveColumns, isListedOtherwise } from "./derived-columns.ts";
import type { Kind } from "./kind.ts";
import { MANY_MATCHES, matching, searchedWords, sortColumns, type Window } from "./listing.ts";
import type { Name } from "./reference.ts";
import { createReferences } from "./references.ts";
import { requireKeptOwner, requireLabels } from "./required-labels.ts";
import type { StoreDeps } from "./store-deps.ts";
import { requireTeamMember, type WithTeam } from "./team-only.ts";
import { countOnce } from "./totals.ts";
import { getDeleted, getVersion, listVersions, type VersionPage } from "./versions.ts";
import { requireReach } from "./write-reach.ts";

type ReadRow = { entity: string; computed?: unknown };

export type WriteOptions = {
  /** The caller's reason, for the change log. */
  reason?: string | undefined;
  /** Archive or delete it even if something references it. */
  force?: boolean | undefined;
};

export type DeleteOptions = Pick<WriteOptions, "force">;

/** The reads and writes of every kind of entity, in one transaction and one project. */
export function entityStore<E extends Versioned>(deps: StoreDeps, kind: Kind<E>) {
  const { db, projectID, log } = deps;
  const { table, type, idColumn = "id", scope } = kind;
  const references = createReferences(deps);
  const toKey = (id: string): Row => ({ projectID, ...scope, [idColumn]: id });
  const toSubject = (entity: E) => {
    const id = kind.getID(entity, projectID);
    const movesRuleset = kind.ruleset !== null;
    return { table, key: toKey(id), type, id, ...(kind.getName && { name: kind.getName(entity) }), movesRuleset };
  };
  const isArchived = (entity: E) => kind.isArchived?.(entity) ?? false;
  const listReferences = (entity: E) => (isArchived(entity) ? [] : (kind.references?.(entity) ?? []));
  const storedRow = (entity: E): Row => ({
    ...deriveColumns(kind, kind.getID(entity, projectID), entity),
    ...beginningColumns(kind),
    version: entity.version,
    ...(entity.createdTime !== undefined && { createdTime: entity.createdTime }),
    entity: toText(entity),
  });

  /** The columns to select from the table or its alias; `read` makes the entity of them. */
  const entityColumns = (alias: string) =>
    Prisma.sql`entity${kind.computed ? Prisma.sql`, ${kind.computed.column(name(alias))} as computed` : Prisma.empty}`;
  const read = ({ entity, computed }: ReadRow): E => {
    const kept = fromText<E>(entity);
    return kind.computed ? asRead(kind.computed.put(kept, computed)) : kept;
  };

  /** @throws AppError forbidden if the caller lacks a permission for the write or is not in the entity's team, or if it is out of reach */
  const requirePermitted = async (before: E | null, after: E | null): Promise<void> => {
    requirePermissions(deps.by, kind.needs?.(before, after) ?? []);
    const states = [before, after].filter((entity) => entity !== null);
    const [entity] = states;
    if (!entity) return;
    const id = kind.getID(entity, projectID);
    const subject = { id, name: kind.getName?.(entity) ?? id };
    if (deps.by.limits !== null) await requireReach(deps, kind, { ...subject, before, after }, deps.by.limits);
    await requireTeamMember(deps, kind, { ...subject, states });
  };

  const store = {
    /** `lock` locks the row against other writers until the transaction ends. */
    async find(id: string, { lock = false } = {}): Promise<E | undefined> {
      const rows = await db.$queryRaw<ReadRow[]>`
        select ${entityColumns(table)} from ${name(table)} where ${matches(toKey(id))} ${lock ? Prisma.sql`for update` : Prisma.empty}`;
      return rows[0] && read(rows[0]);
    },

    /** @throws AppError not_found */
    async get(id: string, options?: { lock?: boolean }): Promise<E> {
      const entity = await store.find(id, options);
      if (!entity) throw notFound(title(type), id);
      return entity;
    },

    /**
     * The existing entities with these ids, sorted by id, locked against other writers until the transaction ends. New references to them
     * are still possible.
     */
    async lockEach(ids: string[]): Promise<E[]> {
      const rows = await db.$queryRaw<{ entity: string }[]>`
        select entity from ${name(table)} where ${matches({ projectID, ...scope })} and ${name(idColumn)} = any(${ids}::text[])
        order by ${name(idColumn)} for no key update`;
      return rows.map(({ entity }) => fromText<E>(entity));
    },

    /** In the window's order; newest first by default. */
    list: (window: Window) => store.listWhere([], window),

    /**
     * The entities that match every filter and the window's search, in the window's order.
     * @param areLogged whether everything that the filters read is in the change log
     */
    async listWhere(filters: Prisma.Sql[], window: Window, { areLogged = true } = {}): Promise<{ data: E[]; total: number }> {
      const words = searchedWords(window.search);
      const where = (isNarrow: boolean) =>
        Prisma.join([matches({ projectID, ...scope }), ...filters, ...matching(words, { isNarrow })], " and ");
      const counting = countOnce(deps, Prisma.sql`select count(*)::int from ${name(table)} where ${where(true)}`, { areLogged });
      const isNarrow = words.length > 0 && (await counting) <= MANY_MATCHES;
      const order = sortColumns(window, idColumn);
      const [rows, total] = await Promise.all([
        // Computed fields are computed only for rows of the page, not for skipped ones.
        db.$queryRaw<ReadRow[]>`
          select ${entityColumns("page")} from (
            select * from ${name(table)} where ${where(isNarrow)} order by ${order} limit ${window.take} offset ${window.skip}
          ) as page order by ${order}`,
        counting,
      ]);
      return { data: rows.map(read), total };
    },

    /**
     * The entities in use that reference an entity and match every filter, newest first.
     * @param areLogged whether everything that the filters read is in the change log
     */
    async listReferring(
      to: { type: string; id: string },
      window: Window,
      filters: Prisma.Sql[] = [],
      { areLogged = true } = {},
    ): Promise<{ data: E[]; total: number }> {
      const named = matches({ projectID, toType: to.type, toID: to.id, fromType: type });
      const found = Prisma.join([matches({ projectID, ...scope }), ...filters], " and ");
      const ofFilters = Prisma.sql`"fromID" in (select ${name(idColumn)} from ${name(table)} where ${found})`;
      const where = filters.length === 0 ? named : Prisma.sql`${named} and ${ofFilters}`;
      const [rows, total] = await Promise.all([
        db.$queryRaw<ReadRow[]>`
          select ${entityColumns("kept")} from (
            select "fromID", "fromTime" from reference where ${where}
            order by "fromTime" desc, "fromID" limit ${window.take} offset ${window.skip}
          ) as referrer
          join ${name(table)} as kept on kept."projectID" = ${projectID} and kept.${name(idColumn)} = "fromID"
          order by "fromTime" desc, "fromID"`,
        countOnce(deps, Prisma.sql`select count(*)::int from reference where ${where}`, { areLogged }),
      ]);
      return { data: rows.map(read), total };
    },

    /**
     * The entities that reference an entity, archived ones included, with the places of the references. Locks them in the order of their
     * ids. Scans every entity, since the index does not have references of archived ones.
     */
    async listNaming(to: Name): Promise<{ entity: E; places: string[] }[]> {
      if (kind.references === null) return [];
      const rows = await db.$queryRaw<{ entity: string }[]>`
        select entity from ${name(table)} where ${matches({ projectID, ...scope })} and strpos(entity, ${JSON.stringify(to.id)}) > 0
        order by ${name(idColumn)} for update`;
      const referencesTo = (entity: E) => kind.references?.(entity).filter(({ type, id }) => type === to.type && id === to.id) ?? [];
      const placesIn = (entity: E) =>
        to.type === "team name" ? placesOfTeam(entity, to.id) : referencesTo(entity).map(({ place }) => place);
      return rows
        .map((row) => fromText<E>(row.entity))
        .map((entity) => ({ entity, places: placesIn(entity) }))
        .filter(({ places }) => places.length > 0);
    },

    /** Creates it unless it exists. Concurrent requests may do the same. */
    async ensure(entity: E): Promise<boolean> {
      await requirePermitted(null, entity);
      return log.ensure(toSubject(entity), entity, storedRow(entity));
    },

    /**
     * `before` is the result of reads before it existed, for If-Match.
     * @throws AppError conflict if it exists; invalid_request if a reference's target, or a required team or owner, is missing
     */
    async create(entity: E, before?: E): Promise<E> {
      await requirePermitted(before ?? null, entity);
      const subject = toSubject(entity);
      // Sent together, where both ask the database.
      const [alongside] = await Promise.all([
        references.check({ type, entity, id: subject.id }, [], listReferences(entity)),
        requireLabels(kind, entity, deps),
      ]);
      return log.create({ ...subject, alongside }, entity, storedRow(entity), before);
    },

    /**
     * @throws AppError conflict if `before` is outdated, its new name is taken, or it is archived while something references it;
     * invalid_request if the target of a new reference does not exist, or a required owner is removed
     */
    async replace(before: E, after: E, { reason, force }: WriteOptions = {}): Promise<E> {
      await requirePermitted(before, after);
      await requireKeptOwner(kind, { before, after }, deps);
      const subject = toSubject(before);
      const retired = isArchived(after) && !isArchived(before);
      const forced = retired ? await references.release(subject, "archived", force) : undefined;
      const alongside = await references.check({ type, entity: after, id: subject.id }, listReferences(before), listReferences(after));
      const name = kind.getName && { name: kind.getName(after) };
      const altersLists = alongside.length > 0 || isListedOtherwise(kind, subject.id, before, after);
      return log.replace({ ...subject, ...name, alongside, altersLists }, before, after, storedRow(after), joinReasons(reason, forced));
    },

    /** @throws AppError conflict if `entity` is outdated, or something references it */
    async delete(entity: E, { force }: DeleteOptions = {}): Promise<void> {
      await requirePermitted(entity, null);
      const subject = toSubject(entity);
      const forced = await references.release(subject, "deleted", force);
      const alongside = await references.check({ type, entity, id: subject.id }, listReferences(entity), []);
      await log.delete({ ...subject, alongside }, entity, forced);
    },

    /** Its versions since it was created, newest first. Deleted entities have versions as well. @throws AppError not_found */
    async listVersions(id: string, window: Window): Promise<VersionPage<E>> {
      const { versions, reasons, total } = await listVersions(db, projectID, type, id, window);
      if (total === 0) await store.get(id);
      return { data: versions.map((version) => fromText<E>(version)), reasons, total };
    },

    /** One of its versions since it was created. Deleted entities have versions as well. @throws AppError not_found */
    async getVersion(id: string, version: number): Promise<E> {
      const text = await getVersion(db, projectID, type, id, version);
      if (text === undefined) throw notFound(`Version ${version} of ${words(type)}`, id);
      return fromText<E>(text);
    },

    /**
     * The last state of a deleted entity, with the version of its deletion. Undefined if it exists, or never did.
     * @param ownerType for an entity that was deleted with the owner that has the same id: the type of that owner
     */
    async findDeleted(id: string, ownerType?: string): Promise<E | undefined> {
      const deleted = await getDeleted(db, projectID, type, id, ownerType);
      return deleted && { ...fromText<E>(deleted.text), version: deleted.version };
    },
  };
  return store;
}

function placesOfTeam({ team }: WithTeam, name: string): string[] {
  return team === name ? ["team"] : [];
}
