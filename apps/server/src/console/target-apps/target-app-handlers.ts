import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, toWindow } from "../common/page.ts";
import { renameEverywhere } from "../common/rename.ts";
import { listVersions, restored, restoreVersion } from "../common/version-handlers.ts";
import type { Env } from "../stores.ts";
import { assign } from "./assignment.ts";
import { changeTargetApp, newTargetApp, type TargetApp } from "./target-app.ts";

const UPDATED = "Target apps updated successfully.";

export const targetAppHandlers = {
  listTargetAppVersions: listVersions("listTargetAppVersions", "Target app", (stores) => stores.targetApps),
  restoreTargetAppVersion: restoreVersion("Target app", (stores) => stores.targetApps, {
    write: (id, old, env) => writeTargetApp(id, env, (app) => restored(app, old, env.context)),
  }),

  async listTargetApps({ query, stores }) {
    const { data, total } = await stores.targetApps.list(toWindow(query));
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
    await writeTargetApp(path.id, { context, stores }, (app) => changeTargetApp(app, body, context));
    return { status: 200, body: { message: UPDATED } };
  },

  async deleteTargetApp({ path, query, stores }) {
    await stores.targetApps.delete(await stores.targetApps.get(path.id), { force: query.forceArchive });
    return { status: 200, body: { message: "Target app deleted successfully" } };
  },
} satisfies Partial<Handlers<operations, Env>>;

/** Changes a target app, and its name in every entity that has it. @throws AppError not_found; errors of `change` */
async function writeTargetApp(id: string, { context, stores }: Env, change: (app: TargetApp) => TargetApp): Promise<TargetApp> {
  const app = await stores.targetApps.get(id);
  const data = await stores.targetApps.replace(app, change(app));
  await renameEverywhere(stores, { type: "target_app", id: app.name }, data.name, context);
  return data;
}
