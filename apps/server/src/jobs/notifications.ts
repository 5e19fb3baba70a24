import { systemContext } from "../common/system-context.ts";
import { type Answered, answeredBy } from "../console/notifications/answered.ts";
import { approversToNotify, type Reader, reviewersToNotify } from "../console/notifications/audience.ts";
import { type Draft, draftsOf, draftsOfReady, isNotable, readyTime } from "../console/notifications/drafts.ts";
import { kindOf, type Named } from "../console/notifications/notification.ts";
import { deleteOldNotifications, listBehind, takeNext } from "../console/notifications/progress-store.ts";
import { createStores, findByID, type Stores, visibleTypes } from "../console/stores.ts";
import { createChangeLog } from "../store/change-log/change-log.ts";
import { readEntries, readEntriesInParts, type StoredEntry } from "../store/change-log/read-entries.ts";
import { type Db, reading, repeating, writing } from "../store/database/unit-of-work.ts";
import type { Job, JobEnv } from "./jobs.ts";

/** The most people who are notified of one event. */
const MAX_NOTIFIED = 1_000;

/** Follows the change log of every project, and adds to people's inboxes what concerns them. */
export const notifications: Job = {
  name: "notifications",
  intervalMs: 1_000,
  async run(env) {
    const { database, log, now, stopping } = env;
    for (const projectID of await reading(database, (db: Db) => listBehind({ db }, now()))) {
      try {
        let hasMore = true;
        while (hasMore && !stopping?.aborted) hasMore = await notifyNext(env, projectID);
      } catch (err) {
        log.error({ err, projectID }, "People could not be notified of changes in a project. They will be at the next attempt.");
      }
    }
  },
};

/** Deletes notifications that are old, or too many. */
export const deleteNotifications: Job = {
  name: "deleteNotifications",
  intervalMs: 60 * 60 * 1_000,
  run: ({ database, now }) => repeating(database, (db: Db) => deleteOldNotifications({ db }, now())),
};

/**
 * Writes the notifications of the next entries with the position that follows them, in one transaction, so that each person gets each one once.
 * @returns whether there are more entries
 */
function notifyNext({ database, log, now }: JobEnv, projectID: string): Promise<boolean> {
  return writing(database, async (db) => {
    const context = systemContext("notify", now(), projectID);
    const stores = createStores({ db, context, log: createChangeLog(db, context) });
    const next = await takeNext({ db }, projectID, context.now);
    if (!next) return false;
    const work = new Notifying(stores);
    const seqs = next.items.filter(isNotable).map(({ seq }) => seq);
    for await (const entries of readEntriesInParts(seqs, (rest) => readEntries(db, projectID, rest)))
      for (const entry of entries) {
        const { drafts, answered } = read(entry, log);
        if (answered) await stores.notifications.markAnswered(answered, entry);
        await work.notify(drafts, entry);
      }
    for (const experiment of next.experiments) {
      const time = readyTime(experiment, context.now);
      if (time !== null && time > next.since) await work.notify(draftsOfReady(experiment, context.now), { ...BY_SERVER, time });
    }
    return !next.isLast;
  });
}

/** The notifications of an entry, and those that it answers. One that cannot be understood must not keep people from all later ones. */
function read(entry: StoredEntry, log: JobEnv["log"]): { drafts: Draft[]; answered?: Answered | undefined } {
  try {
    return { drafts: draftsOf(entry), answered: answeredBy(entry) };
  } catch (err) {
    const { projectID, seq } = entry;
    log.error({ err, projectID, seq }, "People could not be notified of a change. It is skipped.");
    return { drafts: [] };
  }
}

type Cause = Pick<StoredEntry, "seq" | "time" | "actorID" | "actorName" | "actorEmail">;

/** The cause of notifications that no change triggers. */
const BY_SERVER = { seq: 0, actorID: "system", actorName: "", actorEmail: null };

type Entity = { name?: unknown; owner?: { ownerID?: string } | null; creatorID?: string | null };

/** Finds names and people for the notifications of a batch, each once. */
class Notifying {
  readonly stores: Stores;
  private readers: Promise<Reader[]> | undefined;

  constructor(stores: Stores) {
    this.stores = stores;
  }

  /** Adds notifications to the inboxes of their readers. If someone is in several, the first one counts. */
  async notify(drafts: readonly Draft[], cause: Cause): Promise<void> {
    const notified = new Set([cause.actorID]);
    for (const draft of drafts) {
      const ids = new Set(await this.findAudience(draft));
      const readers = (await this.listReaders())
        .filter((one) => ids.has(one.id) && !notified.has(one.id) && canGet(one, draft))
        .slice(0, MAX_NOTIFIED);
      if (readers.length === 0) continue;
      for (const { id } of readers) notified.add(id);
      const { event, opens, commentID, about, aboutCount = 1 } = draft;
      const happening = {
        event,
        opens: await this.toNamed(opens),
        commentID,
        about: await this.toNamed(about),
        aboutCount,
        actorName: draft.by ? nameOf(draft.by) : actorOf(cause),
        said: await this.toSaid(draft),
      };
      const id = draft.key ?? `${cause.seq}_${cause.time}`;
      await this.stores.notifications.add(readers, { ...cause, id }, happening);
    }
  }

  private listReaders(): Promise<Reader[]> {
    this.readers ??= this.stores.notifications.listReaders();
    return this.readers;
  }

  private async findAudience({ to }: Draft): Promise<(string | null | undefined)[]> {
    if ("ids" in to) return [...to.ids];
    if ("ownerOf" in to) {
      const entity = await this.find(to.ownerOf);
      return [entity?.owner?.ownerID ?? entity?.creatorID, to.and];
    }
    if ("approversOf" in to) return approversToNotify(to.approversOf, await this.listReaders());
    const teams = to.reviewersOf.requirements.flatMap(({ team }) => (team ? [team.id] : []));
    return reviewersToNotify(to.reviewersOf, await this.listReaders(), await this.stores.teams.findNamed([...new Set(teams)]));
  }

  private async find({ type, id }: { type: string; id: string }): Promise<Entity | undefined> {
    return (await findByID(this.stores, type, id)) as Entity | undefined;
  }

  private async toSaid({ said = null, metrics = [] }: Draft): Promise<string | null> {
    if (metrics.length === 0) return said;
    const names: string[] = [];
    for (const metric of metrics) names.push(await this.stores.metrics.callByName(metric));
    return `${said === null ? "" : `${said} `}${names.join(", ")}.`;
  }

  private async toNamed(key: { type: string; id: string }): Promise<Named> {
    const name = (await this.find(key))?.name;
    return { ...key, name: typeof name === "string" ? name : null };
  }
}

/** Whether a person wants notifications of the kind, and may read the entity. */
function canGet({ permissions, publishing, muted }: Reader, { event, opens }: Draft): boolean {
  const by = { permissions, publishing, grantedBy: "", limits: null, administersInstance: false };
  return !muted.includes(kindOf(event)) && visibleTypes(by).has(opens.type);
}

/** Null for the server. */
function actorOf({ actorID, actorName: name, actorEmail: email }: Cause): string | null {
  return actorID === "system" ? null : nameOf({ name, email });
}

/** Null for a person without a name, who is not called by an email address. */
function nameOf({ name, email }: { name: string; email: string | null }): string | null {
  return name === email ? null : name;
}
