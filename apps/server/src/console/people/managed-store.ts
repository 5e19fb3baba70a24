import { DEFAULT_PROJECT } from "../../common/context.ts";
import { conflict } from "../../common/errors.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Person } from "./person.ts";

const MANAGED_FIELDS = ["email", "firstName", "lastName", "isActive"] as const;

/** @throws AppError conflict if the change affects fields that an identity provider manages */
export async function requireUnmanaged(deps: StoreDeps, before: Person, after: Person): Promise<void> {
  if (!deps.by.provisioning) return;
  const field = before.isProvisioned ? MANAGED_FIELDS.find((one) => before[one] !== after[one]) : undefined;
  if (field) throw conflict(`${before.email} is managed through SCIM. Change ${field} in your identity provider.`, field);
  if (before.isAdministrator !== after.isAdministrator) await requireOwnRole(deps, before, "isAdministrator");
}

/**
 * Checks a change of a person's role in the project of the request, or of their rights as a server administrator.
 * @throws AppError conflict if groups of an identity provider decide the role
 */
export async function requireOwnRole(deps: StoreDeps, { id, email }: Pick<Person, "id" | "email">, property: string): Promise<void> {
  const { db, projectID, by } = deps;
  const { groups = [] } = by.provisioning ?? {};
  const isDecided = property === "isAdministrator" || projectID === DEFAULT_PROJECT;
  if (groups.length === 0 || !isDecided) return;
  const [group] = await db.$queryRaw<{ displayName: string }[]>`
    select "displayName" from scim_membership join scim_group on scim_group.id = scim_membership."groupID"
    where scim_membership."personID" = ${id} and "displayName" = any(${groups}::text[]) order by "displayName" limit 1`;
  if (!group) return;
  throw conflict(
    `The role of ${email} follows from the group ${group.displayName} through SCIM. Change the groups in your identity provider.`,
    property,
  );
}
