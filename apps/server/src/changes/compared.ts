import { isDeepStrictEqual } from "node:util";
import type { PermittedContext } from "../common/context.ts";
import { kinds } from "../console/kinds.ts";
import type { Previews } from "../console/previews.ts";
import type { Rules } from "../console/reviews/review-store.ts";
import { createStores } from "../console/stores.ts";
import { createChangeLog, type Entry } from "../store/change-log/change-log.ts";
import type { Db } from "../store/database/unit-of-work.ts";

export type Work = {
  db: Db;
  context: PermittedContext;
  /** What `rulesWithNext` returned before the writes. Without it, the rules are read when something has to be compared. */
  rules?: (() => Promise<Rules>) | undefined;
};
type Kind = (typeof kinds)[number];

export const KINDS = new Map<string, Kind>(kinds.map((kind) => [kind.type, kind]));

/** Thrown if the project in memory is not the one that the transaction sees, so that nothing can be compared over it. */
export class StaleProject extends Error {}

const MAX_ATTEMPTS = 3;

/**
 * Runs work that finds requirements. If the project in memory is not the latest, the work is repeated with the latest. In the last attempt,
 * everything that it cannot compare counts as a change of what users get.
 */
export async function withLatestProject<T>(
  { refresh }: Pick<Previews, "refresh">,
  projectID: string,
  work: (isLastAttempt: boolean) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt === MAX_ATTEMPTS);
    } catch (error) {
      if (!(error instanceof StaleProject)) throw error;
      await refresh(projectID);
    }
  }
}

/** Whether the project in memory is not the one that the transaction sees. */
export function isBehind(rulesetTime: number, { context }: Work, { loadedTime }: Pick<Previews, "loadedTime">): boolean {
  return loadedTime(context.projectID) !== rulesetTime;
}

/** Whether rulesets have entities of this type. */
export function isEvaluated(type: string): boolean {
  const ruleset = KINDS.get(type)?.ruleset ?? null;
  return ruleset !== null && ruleset !== "scopes";
}

/** One change for each written entity: as it was before the first write, and is after the last. */
export function changesOf(entries: readonly Entry[]): Entry[] {
  const changes = new Map<string, Entry>();
  for (const { type, id, before, after } of entries) {
    const key = `${type} ${id}`;
    const earlier = changes.get(key);
    changes.set(key, { type, id, before: earlier ? earlier.before : before, after });
  }
  return [...changes.values()];
}

/** False if only fields that are never evaluated differ: the cheapest of the checks, and the one that most writes of labels end with. */
export function mayMatter({ type, before, after }: Entry): boolean {
  const { environments } = KINDS.get(type)?.reach ?? { environments: "every" };
  if (typeof environments !== "object" || !("elsewhere" in environments)) return true;
  const nowhere = () => false;
  return !isDeepStrictEqual(environments.elsewhere(before, nowhere), environments.elsewhere(after, nowhere));
}

/** Whether a segment has other ids than before, which no compilation shows. */
export async function haveIDsChanged(
  evaluated: readonly { type: string; id: string; before: object | null }[],
  { db, context }: Work,
): Promise<boolean> {
  const { segments } = createStores({ db, context, log: createChangeLog(db, context) });
  for (const { type, id, before } of evaluated) {
    const since = (before as { version?: number } | null)?.version ?? 1;
    if (type === "segment" && (await segments.ids.version(id)) > since) return true;
  }
  return false;
}
