import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, toWindow } from "../common/page.ts";
import type { Env } from "../stores.ts";
import { changeSettings, type Page, pickPage, restoreSettings } from "./settings.ts";

/** Creates the handler that reads a page of the settings. */
function read<P extends Page>(page: P) {
  return async ({ stores }: Env) => {
    const data = pickPage(await stores.settings.get(), page);
    return { status: 200 as const, body: { message: "Settings read successfully.", data } };
  };
}

/** Creates the handler that replaces a page of the settings. */
function update<P extends Page>(page: P) {
  return async ({ body, stores }: { body: Parameters<typeof changeSettings>[1] } & Env) => {
    const settings = await stores.settings.get();
    const data = pickPage(await stores.settings.replace(settings, changeSettings(settings, body)), page);
    return { status: 200 as const, body: { message: "Settings updated successfully.", data } };
  };
}

export const settingsHandlers = {
  getProjectSettings: read("project"),
  updateProjectSettings: update("project"),
  getRoleSettings: read("roles"),
  updateRoleSettings: update("roles"),
  getTeamSettings: read("teams"),
  updateTeamSettings: update("teams"),
  getReviewSettings: read("reviews"),
  updateReviewSettings: update("reviews"),

  async getSettings({ stores }) {
    const data = await stores.settings.get();
    return { status: 200, body: { message: "Settings read successfully.", data } };
  },

  async getChangeValidationSecret({ stores }) {
    return { status: 200, body: { message: "Secret read successfully.", data: { secret: await stores.settings.validationSecret() } } };
  },

  async listSettingsVersions({ query, stores }) {
    const { data, reasons, total } = await stores.settings.listVersions(toWindow(query));
    const pagination = paginate("/console/v1/settings/versions", query, total);
    return { status: 200, body: { message: "Settings versions listed successfully.", data, reasons, pagination } };
  },

  async restoreSettingsVersion({ path, stores }) {
    const settings = await stores.settings.get();
    const old = await stores.settings.getVersion(path.version);
    const data = await stores.settings.replace(settings, restoreSettings(settings, old));
    return { status: 200, body: { message: `Settings version ${path.version} restored successfully.`, data } };
  },
} satisfies Partial<Handlers<operations, Env>>;
