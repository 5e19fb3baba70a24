import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, toWindow } from "../common/page.ts";
import { renameEverywhere } from "../common/rename.ts";
import { listVersions, restored, restoreVersion } from "../common/version-handlers.ts";
import type { Env } from "../stores.ts";
import { changeTag, newTag, requireDeletable, type Tag } from "./tag.ts";

export const tagHandlers = {
  listTagVersions: listVersions("listTagVersions", "Tag", (stores) => stores.tags),
  restoreTagVersion: restoreVersion("Tag", (stores) => stores.tags, {
    write: (id, old, env) => writeTag(id, env, (tag) => restored(tag, old, env.context)),
  }),

  async listTags({ query, stores }) {
    const { data, total } = await stores.tags.list(toWindow(query));
    const pagination = paginate("/console/v1/tags", query, total);
    return { status: 200, body: { message: "Tags listed successfully", data, pagination } };
  },

  async createTag({ body, context, stores }) {
    const data = await stores.tags.create(newTag(body, context));
    return { status: 200, body: { message: "Tag created successfully", data } };
  },

  async getTag({ path, stores }) {
    const data = await stores.tags.get(path.id);
    return { status: 200, body: { message: "Tag read successfully", data } };
  },

  async patchTag({ path, body, context, stores }) {
    const data = await writeTag(path.id, { context, stores }, (tag) => changeTag(tag, body, context));
    return { status: 200, body: { message: "Tag updated successfully", data } };
  },

  async deleteTag({ path, query, stores }) {
    const tag = await stores.tags.get(path.id);
    requireDeletable(tag);
    await stores.tags.delete(tag, { force: query.forceArchive });
    return { status: 200, body: { message: "Tag deleted successfully" } };
  },
} satisfies Partial<Handlers<operations, Env>>;

/** Changes a tag, and its name in every entity that has it. @throws AppError not_found; errors of `change` */
async function writeTag(id: string, { context, stores }: Env, change: (tag: Tag) => Tag): Promise<Tag> {
  const tag = await stores.tags.get(id);
  const data = await stores.tags.replace(tag, change(tag));
  await renameEverywhere(stores, { type: "tag", id: tag.name }, data.name, context);
  return data;
}
