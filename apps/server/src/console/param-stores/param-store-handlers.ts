import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import type { Env } from "../stores.ts";
import { changeParamStore, newParamStore } from "./param-store.ts";

/** Creations and updates respond with this message too, as existing clients expect. */
const READ = "Param Store read successfully.";

export const paramStoreHandlers = {
  listParamStoreVersions: listVersions("listParamStoreVersions", "Param store", (stores) => stores.paramStores),
  restoreParamStoreVersion: restoreVersion("Param store", (stores) => stores.paramStores),

  async listParamStores({ query, stores }) {
    const { data, total } = await stores.paramStores.list(pickFilters(query), toWindow(query));
    const pagination = paginate("/console/v1/param_stores", query, total);
    return { status: 200, body: { message: "List param stores success", data, pagination } };
  },

  async createParamStore({ body, context, stores }) {
    const data = await stores.paramStores.create(newParamStore(body, context));
    return { status: 200, body: { message: READ, data } };
  },

  async getParamStore({ path, stores }) {
    const data = await stores.paramStores.get(path.name);
    return { status: 200, body: { message: READ, data } };
  },

  async updateParamStore({ path, body, context, stores }) {
    const store = await stores.paramStores.get(path.name);
    const data = await stores.paramStores.replace(store, changeParamStore(store, body, context));
    return { status: 200, body: { message: READ, data } };
  },

  async deleteParamStore({ path, stores }) {
    await stores.paramStores.delete(await stores.paramStores.get(path.name));
    return { status: 200, body: { message: "Param store deleted successfully." } };
  },
} satisfies Partial<Handlers<operations, Env>>;
