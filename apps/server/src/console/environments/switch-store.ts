import { invalid } from "../../common/errors.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Switched } from "../common/switch.ts";
import { createEnvironmentStore } from "./environment-store.ts";

type Archivable = Switched & { status: string };

/**
 * Checks the environments that a write adds to an entity's `disabledEnvironments`. Locks the set until the transaction ends, so that none of them
 * can be removed or renamed. Archived entities reference nothing, so the environments of an entity that was archived count as added.
 * @throws AppError invalid_request with every name that is not the name of an environment
 */
export async function requireSwitches(deps: StoreDeps, before: Archivable | null, after: Archivable): Promise<void> {
  const known = before === null || before.status === "Archived" ? [] : (before.disabledEnvironments ?? []);
  const places = (after.disabledEnvironments ?? []).map((name, index) => ({ name, property: `disabledEnvironments[${index}]` }));
  await requireEnvironments(
    deps,
    places.filter(({ name }) => !known.includes(name)),
  );
}

/** @throws AppError invalid_request with every name that is not the name of an environment, at its place in the request */
export async function requireEnvironments(deps: StoreDeps, given: { name: string; property: string }[]): Promise<void> {
  if (given.length === 0) return;
  const { environments } = await createEnvironmentStore(deps).get({ lock: true });
  const known = new Set(environments.map(({ name }) => name));
  const violations = given
    .filter(({ name }) => !known.has(name))
    .map(({ name, property }) => ({ property, errorMessage: `references environment ${name}, which does not exist` }));
  if (violations.length > 0) throw invalid(violations);
}

/** Environments in which listed gates are on or off. */
export type SwitchFilter = { onIn?: string; offIn?: string };

/** The conditions of a list of gates that are on in an environment, or off in one. Archived gates have no references, and are off everywhere. */
export async function switchConditions(deps: StoreDeps, { onIn, offIn }: SwitchFilter): Promise<Prisma.Sql[]> {
  const given = [onIn, offIn].filter((name) => name !== undefined);
  if (given.length === 0) return [];
  const { environments } = await createEnvironmentStore(deps).get();
  if (!given.every((name) => environments.some((environment) => environment.name === name))) return [Prisma.sql`false`];
  const isOn = (environment: string) => Prisma.sql`("status" not in ('Disabled', 'Archived') and "id" not in (
    select "fromID" from reference where "projectID" = ${deps.projectID} and "toType" = 'environment' and "toID" = ${environment}
      and "fromType" = 'gate'))`;
  return [...(onIn === undefined ? [] : [isOn(onIn)]), ...(offIn === undefined ? [] : [Prisma.sql`not ${isOn(offIn)}`])];
}
