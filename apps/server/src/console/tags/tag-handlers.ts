import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Env } from "../../stores.ts";
import { paginate, toWindow } from "../common/page.ts";
import { renameEverywhere } from "../common/rename.ts";
import { versionHandlers } from "../common/version-handlers.ts";
import { changeTag, checkDeletable, newTag } from "./tag.ts";

const versions = versionHandlers({ entity: "Tag", called: "Tag", path: "/console/v1/tags" }, (stores) => stores.tags);

export const tagHandlers = {
  ...versions,

  async restoreTagVersion(request) {
    const { path, context, stores } = request;
    const { name } = await stores.tags.get(path.id);
    const answer = await versions.restoreTagVersion(request);
    await renameEverywhere(stores, { type: "tag", id: name }, answer.body.data.name, context);
    return answer;
  },

  async listTags({ query, stores }) {
    const { data, total } = await stores.tags.list([], toWindow(query));
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
    const tag = await stores.tags.get(path.id);
    const data = await stores.tags.replace(tag, changeTag(tag, body, context));
    await renameEverywhere(stores, { type: "tag", id: tag.name }, data.name, context);
    return { status: 200, body: { message: "Tag updated successfully", data } };
  },

  async deleteTag({ path, query, stores }) {
    const tag = await stores.tags.get(path.id);
    checkDeletable(tag);
    await stores.tags.delete(tag, { force: query.forceArchive });
    return { status: 200, body: { message: "Tag deleted successfully" } };
  },
} satisfies Partial<Handlers<operations, Env>>;
