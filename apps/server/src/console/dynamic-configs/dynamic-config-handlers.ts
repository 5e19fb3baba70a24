import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import type { SchemaEnv } from "../stores.ts";
import { changeDynamicConfig, configLifecycle, newDynamicConfig, requireValid } from "./dynamic-config.ts";
import { deleteRule, getRule, patchRule } from "./dynamic-config-rules.ts";

const LISTED = "Dynamic Configs listed successfully.";
const RULES_READ = "Dynamic Config rules read successfully.";
const UPDATED = "Dynamic config updated successfully.";

const change: Handlers<operations, SchemaEnv>["patchDynamicConfig"] = async ({ path, body, context, stores, checkSchema }) => {
  const config = await stores.dynamicConfigs.get(path.id);
  const changed = await requireValid(changeDynamicConfig(config, body, context), checkSchema);
  const data = await stores.dynamicConfigs.replace(config, changed);
  return { status: 200, body: { message: UPDATED, data } };
};

export const dynamicConfigHandlers = {
  listDynamicConfigVersions: listVersions("listDynamicConfigVersions", "Dynamic config", (stores) => stores.dynamicConfigs),
  restoreDynamicConfigVersion: restoreVersion("Dynamic config", (stores) => stores.dynamicConfigs, { restore: configLifecycle.restore }),

  async listDynamicConfigs({ query, stores }) {
    const filter = pickFilters(query);
    const { data, total } = await stores.dynamicConfigs.list(filter, toWindow(query));
    const pagination = paginate("/console/v1/dynamic_configs", query, total);
    return { status: 200, body: { message: LISTED, data, pagination } };
  },

  async createDynamicConfig({ body, context, stores, checkSchema }) {
    const data = await stores.dynamicConfigs.create(await requireValid(newDynamicConfig(body, context), checkSchema));
    return { status: 201, body: { message: "Dynamic Config created successfully.", data } };
  },

  async getDynamicConfig({ path, stores }) {
    const data = await stores.dynamicConfigs.get(path.id);
    return { status: 200, body: { message: "Dynamic config read successfully.", data } };
  },

  updateDynamicConfig: change,
  patchDynamicConfig: change,

  async deleteDynamicConfig({ path, query, stores }) {
    await stores.dynamicConfigs.delete(await stores.dynamicConfigs.get(path.id), { force: query.forceArchive });
    return { status: 200, body: { message: "Dynamic Config deleted successfully." } };
  },

  async listDynamicConfigRules({ path, query, stores }) {
    const { id, rules } = await stores.dynamicConfigs.get(path.id);
    const { skip, take } = toWindow(query);
    const pagination = paginate(`/console/v1/dynamic_configs/${encodeURIComponent(id)}/rules`, query, rules.length);
    return { status: 200, body: { message: RULES_READ, data: [{ rules: rules.slice(skip, skip + take) }], pagination } };
  },

  async getDynamicConfigRule({ path, stores }) {
    const data = getRule(await stores.dynamicConfigs.get(path.id), path.ruleId);
    return { status: 200, body: { message: RULES_READ, data } };
  },

  async patchDynamicConfigRule({ path, body, context, stores, checkSchema }) {
    const config = await stores.dynamicConfigs.get(path.id);
    const changed = await requireValid(patchRule(config, path.ruleId, body, context), checkSchema);
    const data = await stores.dynamicConfigs.replace(config, changed);
    return { status: 200, body: { message: "Dynamic Config rules updated successfully.", data } };
  },

  async deleteDynamicConfigRule({ path, context, stores }) {
    const config = await stores.dynamicConfigs.get(path.id);
    const data = await stores.dynamicConfigs.replace(config, deleteRule(config, path.ruleId, context));
    return { status: 200, body: { message: "Dynamic Config rule deleted successfully.", data } };
  },

  async enableDynamicConfig({ path, query, context, stores }) {
    const config = await stores.dynamicConfigs.get(path.id);
    const changed = configLifecycle.enable(config, context, query.environment);
    const data = await stores.dynamicConfigs.turn(config, changed, query.environment);
    return { status: 200, body: { message: UPDATED, data } };
  },

  async disableDynamicConfig({ path, query, context, stores }) {
    const config = await stores.dynamicConfigs.get(path.id);
    const changed = configLifecycle.disable(config, context, query.environment);
    const data = await stores.dynamicConfigs.turn(config, changed, query.environment);
    return { status: 200, body: { message: UPDATED, data } };
  },

  async archiveDynamicConfig({ path, body, context, stores }) {
    const config = await stores.dynamicConfigs.get(path.id);
    const { archiveReason: reason, forceArchive: force } = body ?? {};
    const data = await stores.dynamicConfigs.replace(config, configLifecycle.archive(config, context), { reason, force });
    return { status: 200, body: { message: UPDATED, data } };
  },

  async unarchiveDynamicConfig({ path, body, context, stores }) {
    const config = await stores.dynamicConfigs.get(path.id);
    const data = await stores.dynamicConfigs.replace(config, configLifecycle.unarchive(config, context), { reason: body?.unarchiveReason });
    return { status: 200, body: { message: UPDATED, data } };
  },

  async listGateDynamicConfigReferences({ path, query, stores }) {
    const gate = await stores.gates.get(path.id);
    const { data, total } = await stores.dynamicConfigs.listReferring({ type: "gate", id: gate.id }, toWindow(query));
    const pagination = paginate(`/console/v1/gates/${encodeURIComponent(gate.id)}/dynamic_config_references`, query, total);
    return { status: 200, body: { message: LISTED, data, pagination } };
  },
} satisfies Partial<Handlers<operations, SchemaEnv>>;
