import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";
import { editComment, newComment } from "./comment.ts";

export const commentHandlers = {
  async listComments({ query, stores }) {
    const { type, id } = query;
    const { data, total } = await stores.comments.listOf({ type, id }, toWindow(query));
    const pagination = paginate("/console/v1/comments", query, total);
    return { status: 200, body: { message: "Comments listed successfully.", data, pagination } };
  },

  async createComment({ body, context, stores }) {
    const commented = await stores.comments.requireSubject(body);
    const members = await stores.members.findActive(body.mentions ?? []);
    const data = await stores.comments.create(newComment(body, commented, members, context));
    return { status: 200, body: { message: "Comment created successfully.", data } };
  },

  async getComment({ path, stores }) {
    const data = await stores.comments.get(path.id);
    return { status: 200, body: { message: "Comment read successfully.", data } };
  },

  async patchComment({ path, body, context, stores }) {
    const comment = await stores.comments.get(path.id);
    const members = await stores.members.findActive(body.mentions ?? []);
    const data = await stores.comments.replace(comment, editComment(comment, body, members, context));
    return { status: 200, body: { message: "Comment updated successfully.", data } };
  },

  async deleteComment({ path, stores }) {
    await stores.comments.delete(await stores.comments.get(path.id));
    return { status: 200, body: { message: "Comment deleted successfully." } };
  },
} satisfies Partial<Handlers<operations, Env>>;
