import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";
import { changeRole, newRole, requireOwn } from "./role.ts";

export const roleHandlers = {
  async listRoles({ query, stores }) {
    const { data, total } = await stores.roles.list(toWindow(query));
    const pagination = paginate("/console/v1/roles", query, total);
    return { status: 200, body: { message: "Roles listed successfully.", data, pagination } };
  },

  async createRole({ body, context, stores }) {
    const data = await stores.roles.create(newRole(body, context));
    return { status: 201, body: { message: "Role created successfully.", data } };
  },

  async getRole({ path, stores }) {
    const data = await stores.roles.get(path.id);
    return { status: 200, body: { message: "Role read successfully.", data } };
  },

  async patchRole({ path, body, context, stores }) {
    const role = await stores.roles.get(path.id);
    requireOwn(role);
    const data = await stores.roles.replace(role, changeRole(role, body, context));
    return { status: 200, body: { message: "Role updated successfully.", data } };
  },

  async deleteRole({ path, query, stores }) {
    const role = await stores.roles.get(path.id);
    requireOwn(role);
    await stores.roles.delete(role, { force: query.forceArchive });
    return { status: 200, body: { message: "Role deleted successfully." } };
  },
} satisfies Partial<Handlers<operations, Env>>;
