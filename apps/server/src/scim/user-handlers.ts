import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/scim";
import { parseFilter } from "./parse-filter.ts";
import { project } from "./projection.ts";
import type { ScimEnv } from "./scim-env.ts";
import { toList, toScimUser } from "./scim-resources.ts";
import { listUsers } from "./scim-user-store.ts";
import { readUser, readUserPatch } from "./user-changes.ts";
import { toPage } from "./window.ts";
import { changeUser, createUser, deleteUser, getUser } from "./write-user.ts";

export const userHandlers = {
  async listScimUsers({ query, db, baseUrl }) {
    const { startIndex, ...page } = toPage(query);
    const { users, total } = await listUsers(db, query.filter === undefined ? undefined : parseFilter(query.filter), page);
    const resources = users.map((user) => project(toScimUser(user, baseUrl), query));
    return { status: 200, body: toList(resources, total, startIndex) };
  },

  async createScimUser({ body, query, ...env }) {
    const user = await createUser(readUser(body), env);
    return { status: 201, body: project(toScimUser(user, env.baseUrl), query) };
  },

  async getScimUser({ path, query, ...env }) {
    const user = await getUser(env, path.id);
    return { status: 200, body: project(toScimUser(user, env.baseUrl), query) };
  },

  async updateScimUser({ path, body, query, ...env }) {
    const { email, ...changes } = readUser(body);
    const user = await changeUser(path.id, { ...changes, ...(email !== null && { email }) }, env);
    return { status: 200, body: project(toScimUser(user, env.baseUrl), query) };
  },

  async patchScimUser({ path, body, query, ...env }) {
    const user = await changeUser(path.id, readUserPatch(body.Operations), env);
    return { status: 200, body: project(toScimUser(user, env.baseUrl), query) };
  },

  async deleteScimUser({ path, ...env }) {
    await deleteUser(path.id, env);
    return { status: 204, body: undefined };
  },
} satisfies Partial<Handlers<operations, ScimEnv>>;
