import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Env } from "../../stores.ts";
import { paginate, toWindow } from "../common/page.ts";
import { renameEverywhere } from "../common/rename.ts";
import { versionHandlers } from "../common/version-handlers.ts";
import { assign } from "./assignment.ts";
import { changeTargetApp, newTargetApp } from "./target-app.ts";

const UPDATED = "Target apps updated successfully.";
const versions = versionHandlers(
  { entity: "TargetApp", called: "Target app", path: "/console/v1/target_app" },
  (stores) => stores.targetApps,
);

export const targetAppHandlers = {
  ...versions,

  async restoreTargetAppVersion(request) {
    const { path, context, stores } = request;
    const { name } = await stores.targetApps.get(path.id);
    const answer = await versions.restoreTargetAppVersion(request);
    await renameEverywhere(stores, { type: "target_app", id: name }, answer.body.data.name, context);
    return answer;
  },

  async listTargetApps({ query, stores }) {
    const { data, total } = await stores.targetApps.list([], toWindow(query));
    const pagination = paginate("/console/v1/target_app", query, total);
    return { status: 200, body: { message: "Target apps listed successfully.", data, pagination } };
  },

  async createTargetApp({ body, context, stores }) {
    const { gates, dynamicConfigs, experiments, ...given } = body;
    const data = await stores.targetApps.create(newTargetApp(given, context));
    await assign([data.name], { gates, dynamicConfigs, experiments }, context, stores);
    return { status: 200, body: { message: "Target app created successfully.", data } };
  },

  async assignTargetApps({ body, context, stores }) {
    const { targetApps, ...assignees } = body;
    await assign(targetApps, assignees, context, stores);
    return { status: 200, body: { message: UPDATED } };
  },

  async getTargetApp({ path, stores }) {
    const data = await stores.targetApps.get(path.id);
    return { status: 200, body: { message: "Target app read successfully.", data } };
  },

  async patchTargetApp({ path, body, context, stores }) {
    const app = await stores.targetApps.get(path.id);
    const { name } = await stores.targetApps.replace(app, changeTargetApp(app, body, context));
    await renameEverywhere(stores, { type: "target_app", id: app.name }, name, context);
    return { status: 200, body: { message: UPDATED } };
  },

  async deleteTargetApp({ path, query, stores }) {
    await stores.targetApps.delete(await stores.targetApps.get(path.id), { force: query.forceArchive });
    return { status: 200, body: { message: "Target app deleted successfully" } };
  },
} satisfies Partial<Handlers<operations, Env>>;
