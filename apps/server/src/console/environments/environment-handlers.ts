import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, selectPage, toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";
import { replaceEnvironments, restoreEnvironments } from "./environment-set.ts";

export const environmentHandlers = {
  async getEnvironments({ query, stores }) {
    const set = await stores.environments.get();
    const data = { ...set, environments: selectPage(set.environments, query) };
    return { status: 200, body: { message: "Environments read successfully.", data } };
  },

  async updateEnvironments({ body, stores }) {
    const set = await stores.environments.get();
    const data = await stores.environments.replace(set, replaceEnvironments(set, body.environments));
    return { status: 200, body: { message: "Environments updated successfully.", data } };
  },

  async listEnvironmentSetVersions({ query, stores }) {
    const { data, reasons, total } = await stores.environments.listVersions(toWindow(query));
    const pagination = paginate("/console/v1/environments/versions", query, total);
    return { status: 200, body: { message: "Environment versions listed successfully.", data, reasons, pagination } };
  },

  async restoreEnvironmentSetVersion({ path, stores }) {
    const set = await stores.environments.get();
    const old = await stores.environments.getVersion(path.version);
    const data = await stores.environments.replace(set, restoreEnvironments(set, old));
    return { status: 200, body: { message: `Environment version ${path.version} restored successfully.`, data } };
  },
} satisfies Partial<Handlers<operations, Env>>;
