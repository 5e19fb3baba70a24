import type { Handlers } from "@gatehouse/contract";
import type { operations, Schema } from "@gatehouse/contract/scim";
import { patchGroup, readGroup } from "./group-changes.ts";
import { parseFilter } from "./parse-filter.ts";
import { isSelected, project, type Selection } from "./projection.ts";
import type { ScimEnv } from "./scim-env.ts";
import { type Group, listGroups, listMembers } from "./scim-group-store.ts";
import { toList, toScimGroup } from "./scim-resources.ts";
import { toPage } from "./window.ts";
import { changeGroup, createGroup, deleteGroup, getGroup } from "./write-group.ts";

/** Maximum number of members of all groups in a response, unless a single group has more. */
const MAX_SHOWN_MEMBERS = 10_000;
const NO_MEMBERS: ReadonlySet<string> = new Set();

export const groupHandlers = {
  async listScimGroups({ query, db, baseUrl }) {
    const { startIndex, ...page } = toPage(query);
    const most = isSelected("members", query) ? MAX_SHOWN_MEMBERS : Number.POSITIVE_INFINITY;
    const { groups, total } = await listGroups(db, query.filter === undefined ? undefined : parseFilter(query.filter), page, most);
    return { status: 200, body: toList(await show(groups, query, { db, baseUrl }), total, startIndex) };
  },

  async createScimGroup({ body, query, ...env }) {
    const group = await createGroup(readGroup(body, NO_MEMBERS), env);
    return { status: 201, body: await showOne(group, query, env) };
  },

  async getScimGroup({ path, query, ...env }) {
    return { status: 200, body: await showOne(await getGroup(env, path.id), query, env) };
  },

  async updateScimGroup({ path, body, query, ...env }) {
    const group = await changeGroup(path.id, ({ members }) => readGroup(body, members), env);
    return { status: 200, body: await showOne(group, query, env) };
  },

  async patchScimGroup({ path, body, ...env }) {
    await changeGroup(path.id, (group) => patchGroup(group, body.Operations), env);
    return { status: 204, body: undefined };
  },

  async deleteScimGroup({ path, ...env }) {
    await deleteGroup(path.id, env);
    return { status: 204, body: undefined };
  },
} satisfies Partial<Handlers<operations, ScimEnv>>;

type Showing = Pick<ScimEnv, "db" | "baseUrl">;

async function show(groups: Group[], selection: Selection, { db, baseUrl }: Showing): Promise<Schema<"ScimGroup">[]> {
  const isShown = isSelected("members", selection);
  const members = isShown
    ? await listMembers(
        db,
        groups.map(({ id }) => id),
      )
    : undefined;
  return groups.map((group) => project(toScimGroup(group, members?.get(group.id) ?? [], baseUrl), selection));
}

async function showOne(group: Group, selection: Selection, env: Showing): Promise<Schema<"ScimGroup">> {
  const [shown] = await show([group], selection, env);
  return shown as Schema<"ScimGroup">;
}
