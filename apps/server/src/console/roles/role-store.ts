import { requireToGive } from "../../common/permissions.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { type DeleteOptions, entityStore } from "../../store/entities/entity-store.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { deleteTokensOfPromoted } from "../../tokens/token-store.ts";
import type { Window } from "../common/page.ts";
import { EVERYWHERE } from "../common/parts-elsewhere.ts";
import { requireEnvironments } from "../environments/switch-store.ts";
import type { NamedKind } from "../slice.ts";
import { BUILT_IN_ROLES, builtInRole, namedByRole, permittedBy, publishesFurther, type Role, rightsOf } from "./role.ts";

export const roleKind: NamedKind<"role", Role> = {
  table: "role",
  type: "role",
  getID: (role) => role.id,
  references: namedByRole,
  columns: {
    permissions: permittedBy,
    publishesEverywhere: { unlisted: ({ publishesIn }) => publishesIn === undefined },
    publishesIn: { unlisted: ({ publishesIn = [] }) => publishesIn },
    caselessName: { unlisted: (role) => role.name.toLowerCase() },
  },
  listing: null,
  named: { as: "role", check: "exists", isArchived: Prisma.sql`false` },
  ruleset: null,
  needs: null,
  reach: EVERYWHERE,
};

/** The project's roles, the built-in ones among them. */
export function createRoleStore(deps: StoreDeps) {
  const store = entityStore(deps, roleKind);
  return {
    ...store,

    /** The built-in ones first, then the others, newest first. */
    async list({ skip, take }: Window): Promise<{ data: Role[]; total: number }> {
      const first = BUILT_IN_ROLES.slice(skip, skip + take);
      const own = await store.list({ skip: Math.max(0, skip - BUILT_IN_ROLES.length), take: take - first.length });
      return { data: [...first, ...own.data], total: BUILT_IN_ROLES.length + own.total };
    },

    find: async (name: string): Promise<Role | undefined> => builtInRole(name) ?? store.find(name),

    /** @throws AppError not_found */
    get: async (name: string): Promise<Role> => builtInRole(name) ?? store.get(name),

    /** @throws AppError conflict if it exists already; forbidden if it permits more than the caller may do; invalid_request for unknown environments */
    async create(role: Role): Promise<Role> {
      requireToGive(deps.by, rightsOf(role));
      await requirePlaces(role);
      return store.create(role);
    },

    /** @throws AppError conflict if `before` is outdated; forbidden if either permits more than the caller may do; invalid_request */
    async replace(before: Role, after: Role): Promise<Role> {
      const held = new Set(permittedBy(before));
      requireToGive(deps.by, rightsOf(before));
      requireToGive(deps.by, rightsOf(after));
      await requirePlaces(after);
      if (publishesFurther(before, after) || permittedBy(after).some((permission) => !held.has(permission)))
        deleteTokensOfPromoted(deps.db, Prisma.sql`id from member where "projectID" = ${deps.projectID} and role = ${after.id}`);
      return store.replace(before, after);
    },

    /** @throws AppError conflict if it is referenced; forbidden if it permits more than the caller may do */
    async delete(role: Role, options?: DeleteOptions): Promise<void> {
      requireToGive(deps.by, rightsOf(role));
      await store.delete(role, options);
    },
  };

  /** Locks the environments, so that none of them is renamed or removed at once. @throws AppError invalid_request */
  async function requirePlaces({ publishesIn = [] }: Role): Promise<void> {
    if (publishesIn.length > 0)
      await requireEnvironments(
        deps,
        publishesIn.map((name, index) => ({ name, property: `publishesIn[${index}]` })),
      );
  }
}
