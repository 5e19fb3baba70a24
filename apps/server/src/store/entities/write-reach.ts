import { isDeepStrictEqual } from "node:util";
import type { WriteLimits } from "../../common/context.ts";
import { type AppError, forbidden } from "../../common/errors.ts";
import { listed, words } from "../../common/words.ts";
import type { Versioned } from "../requests/entity-tag.ts";
import type { Kind } from "./kind.ts";
import { findOwner } from "./owner.ts";
import type { StoreDeps } from "./store-deps.ts";

/**
 * The parts of an entity that callers with limits may write.
 *
 * `environments`: `every` if the entity counts in every environment, so that a caller who is limited to some cannot write it; `none` if
 * environments do not evaluate it; `of` if it belongs to environments as a whole (an empty list means all); `elsewhere` if it has parts for
 * single environments.
 *
 * `targetApps`: the same values; `of its owner` for overrides.
 */
export type WriteReach<E> = {
  environments: "every" | "none" | { of(entity: E): readonly string[] } | Parts<E>;
  targetApps: "every" | "none" | { of(entity: E): readonly string[] } | "of its owner";
};

/** The entity without its parts that count only in the given environments. Null if it does not exist. */
type Parts<E> = { elsewhere(entity: E | null, isGiven: (environment: string) => boolean): unknown };

/** The state of an entity before and after a write; null if it did not or does not exist. */
type Write<E> = { id: string; name: string; before: E | null; after: E | null };

/**
 * A write must not affect evaluations in other environments and target apps.
 * @throws AppError forbidden, naming the parts out of the caller's reach and its limits
 */
export async function requireReach<E extends Versioned>(
  deps: StoreDeps,
  kind: Kind<E>,
  write: Write<E>,
  limits: WriteLimits,
): Promise<void> {
  const { environments, targetApps } = limits;
  const subject = `${words(kind.type)} ${write.name}`;
  if (environments.length > 0) {
    const missing = await environmentsBeyond(deps, kind, write, environments);
    if (missing) throw outOfReach("environment", missing, subject, environments);
  }
  if (targetApps.length > 0) {
    const missing = await appsBeyond(deps, kind, write, limits);
    if (missing) throw outOfReach("target app", missing, subject, targetApps);
  }
}

/**
 * For writes of data that belongs to all environments and target apps.
 * @throws AppError forbidden for callers who are limited to some
 */
export function requireUnlimited(subject: string, limits: WriteLimits | null): void {
  const { environments = [], targetApps = [] } = limits ?? {};
  if (environments.length > 0) throw outOfReach("environment", "every", subject, environments);
  if (targetApps.length > 0) throw outOfReach("target app", "every", subject, targetApps);
}

/** Returns the other environments that a write changes: `every`, or names. Undefined if it changes only the given ones. */
async function environmentsBeyond<E extends Versioned>(
  deps: StoreDeps,
  { reach }: Kind<E>,
  { before, after }: Write<E>,
  environments: string[],
): Promise<"every" | string[] | undefined> {
  if (reach.environments === "none") return undefined;
  if (reach.environments === "every") return "every";
  const given = new Set(environments.map(fold));
  if ("of" in reach.environments) return beyond([before, after], reach.environments.of, (one) => given.has(fold(one)));
  const { elsewhere } = reach.environments;
  const isChanged = (isGiven: (environment: string) => boolean) =>
    !isDeepStrictEqual(plain(elsewhere(before, isGiven)), plain(elsewhere(after, isGiven)));
  if (!isChanged((one) => given.has(fold(one)))) return undefined;
  const others = (await listEnvironments(deps)).filter((one) => !given.has(fold(one)));
  const changed = others.filter((other) => isChanged((one) => fold(one) !== fold(other)));
  // `every` includes environments that the project does not have yet.
  return changed.length > 0 ? changed : "every";
}

async function appsBeyond<E extends Versioned>(
  deps: StoreDeps,
  { reach, scope }: Kind<E>,
  { id, before, after }: Write<E>,
  { targetApps, targetAppIDs }: WriteLimits,
): Promise<"every" | string[] | undefined> {
  if (reach.targetApps === "none") return undefined;
  if (reach.targetApps === "every") return "every";
  const isGiven = (app: string) => targetApps.includes(app) || targetAppIDs.includes(app);
  if (reach.targetApps !== "of its owner") return beyond([before, after], reach.targetApps.of, isGiven);
  const owner = await findOwner<{ targetApps?: string[] }>(deps, scope?.ownerType ?? "", id);
  return beyond([owner], ({ targetApps: apps = [] }) => apps, isGiven);
}

/** The environments or target apps of the entities, beyond the given ones. An empty list means `every`. */
function beyond<E>(
  entities: (E | null)[],
  of: (entity: E) => readonly string[],
  isGiven: (name: string) => boolean,
): "every" | string[] | undefined {
  const lists = entities.filter((entity) => entity !== null).map((entity) => of(entity));
  if (lists.some((names) => names.length === 0)) return "every";
  const names = [...new Set(lists.flat())].filter((one) => !isGiven(one));
  return names.length > 0 ? names : undefined;
}

/** Evaluation ignores the case of environments. */
function fold(environment: string): string {
  return environment.toLowerCase();
}

/** The stored form: without properties that are undefined. */
function plain(value: unknown): unknown {
  return value === null || value === undefined ? null : JSON.parse(JSON.stringify(value));
}

async function listEnvironments({ db, projectID }: StoreDeps): Promise<string[]> {
  const rows = await db.$queryRaw<{ entity: string }[]>`select entity from environment_set where "projectID" = ${projectID}`;
  const sets = rows.map(({ entity }) => JSON.parse(entity) as { environments: { name: string }[] });
  return sets.flatMap(({ environments }) => environments.map((one) => one.name));
}

function outOfReach(noun: "environment" | "target app", missing: "every" | string[], subject: string, given: string[]): AppError {
  const access = missing === "every" ? `every ${noun}` : named(noun, missing);
  return forbidden(`access to ${access} to write ${subject}, but the key is limited to ${named(noun, given)}`);
}

/** `the environment staging`, `the target apps iOS, TV, and Watch` */
function named(noun: string, names: string[]): string {
  return `the ${noun}${names.length === 1 ? "" : "s"} ${listed(names)}`;
}
