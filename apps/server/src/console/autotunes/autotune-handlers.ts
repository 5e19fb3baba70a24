import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import type { Env } from "../stores.ts";
import { changeAutotune, newAutotune, recreateAutotune, restoreAutotune } from "./autotune.ts";
import { decide, reset, start } from "./autotune-steps.ts";

const READ = "Autotune Experiment read successfully.";

export const autotuneHandlers = {
  listAutotuneVersions: listVersions("listAutotuneVersions", "Autotune", (stores) => stores.autotunes),
  restoreAutotuneVersion: restoreVersion("Autotune", (stores) => stores.autotunes, {
    async write(id, old, { context, stores }) {
      const autotune = await stores.autotunes.get(id);
      return stores.autotunes.withProgress(await stores.autotunes.replace(autotune, restoreAutotune(autotune, old, context)));
    },
    recreate: (deleted, old, { context, stores }) => stores.autotunes.create(recreateAutotune(deleted, old, context)),
  }),

  async listAutotunes({ query, stores }) {
    const { data, total } = await stores.autotunes.list(pickFilters(query), toWindow(query));
    const pagination = paginate("/console/v1/autotunes", query, total);
    return { status: 200, body: { message: "Autotune Experiments listed successfully.", data, pagination } };
  },

  async createAutotune({ body, context, stores }) {
    const data = await stores.autotunes.create(newAutotune(body, context));
    return { status: 201, body: { message: "Autotune Experiments created successfully.", data } };
  },

  async getAutotune({ path, stores }) {
    const data = await stores.autotunes.withProgress(await stores.autotunes.get(path.id));
    return { status: 200, body: { message: READ, data } };
  },

  async listAutotuneDays({ path, query, stores }) {
    const { data, total } = await stores.autotunes.days.list(await stores.autotunes.get(path.id), toWindow(query));
    const pagination = paginate(`/console/v1/autotunes/${encodeURIComponent(path.id)}/days`, query, total);
    return { status: 200, body: { message: "Autotune days listed successfully.", data, pagination } };
  },

  // Existing clients know this message.
  async updateAutotune({ path, body, context, stores }) {
    const autotune = await stores.autotunes.get(path.id);
    const changed = await stores.autotunes.replace(autotune, changeAutotune(autotune, body, context));
    return { status: 200, body: { message: READ, data: await stores.autotunes.withProgress(changed) } };
  },

  async patchAutotune({ path, body, context, stores }) {
    const autotune = await stores.autotunes.get(path.id);
    const changed = await stores.autotunes.replace(autotune, changeAutotune(autotune, body, context));
    const data = await stores.autotunes.withProgress(changed);
    return { status: 200, body: { message: "Autotune Experiment updated successfully.", data } };
  },

  async deleteAutotune({ path, stores }) {
    await stores.autotunes.delete(await stores.autotunes.get(path.id));
    return { status: 200, body: { message: "Autotune Experiment deleted successfully." } };
  },

  async startAutotune({ path, context, stores }) {
    const autotune = await stores.autotunes.get(path.id);
    await stores.autotunes.replace(autotune, start(autotune, context));
    return { status: 200, body: { message: "Autotune Experiment successfully started." } };
  },

  async makeAutotuneDecision({ path, body, context, stores }) {
    const autotune = await stores.autotunes.get(path.id);
    await stores.autotunes.replace(autotune, decide(autotune, body, context));
    return { status: 200, body: { message: "Decision made for Autotune Experiment." } };
  },

  async resetAutotune({ path, context, stores }) {
    const autotune = await stores.autotunes.get(path.id);
    await stores.autotunes.replace(autotune, reset(autotune, context));
    return { status: 200, body: { message: "Autotune Experiment successfully restarted." } };
  },
} satisfies Partial<Handlers<operations, Env>>;
