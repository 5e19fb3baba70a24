import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import type { AnalysisEnv } from "../stores.ts";
import { previewedQuery } from "../warehouse/rows-preview.ts";
import { changeAssignmentSource, newAssignmentSource } from "./assignment-source.ts";

const change: Handlers<operations, AnalysisEnv>["patchAssignmentSource"] = async ({ path, body, context, stores }) => {
  const source = await stores.assignmentSources.get(path.name);
  const data = await stores.assignmentSources.replace(source, changeAssignmentSource(source, body, context));
  return { status: 200, body: { message: "Assignment source updated successfully.", data } };
};

export const assignmentSourceHandlers = {
  listAssignmentSourceVersions: listVersions("listAssignmentSourceVersions", "Assignment source", (stores) => stores.assignmentSources),
  restoreAssignmentSourceVersion: restoreVersion("Assignment source", (stores) => stores.assignmentSources),

  async listAssignmentSources({ query, stores }) {
    const { data, total } = await stores.assignmentSources.list(pickFilters(query), toWindow(query));
    const pagination = paginate("/console/v1/experiments/assignment_sources", query, total);
    return { status: 200, body: { message: "Assignment sources listed successfully.", data, pagination } };
  },

  async createAssignmentSource({ body, context, stores }) {
    const data = await stores.assignmentSources.create(newAssignmentSource(body, context));
    return { status: 201, body: { message: "Assignment source created successfully.", data } };
  },

  async getAssignmentSource({ path, stores }) {
    const data = await stores.assignmentSources.get(path.name);
    return { status: 200, body: { message: "Assignment source read successfully.", data } };
  },

  updateAssignmentSource: change,
  patchAssignmentSource: change,

  async deleteAssignmentSource({ path, query, stores }) {
    await stores.assignmentSources.delete(await stores.assignmentSources.get(path.name), { force: query.forceArchive });
    return { status: 200, body: { message: "Assignment source deleted successfully." } };
  },

  async previewAssignmentSource({ body, ...env }) {
    const data = await previewedQuery(body, env);
    return { status: 200, body: { message: "Assignment source previewed successfully.", data } };
  },
} satisfies Partial<Handlers<operations, AnalysisEnv>>;
