import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import { productionTiers } from "../environments/environment-set.ts";
import type { Env } from "../stores.ts";
import { changeGate, gateLifecycle, launchGate, newGate, restoreGate } from "./gate.ts";
import { checkedLately, checksByEnvironment, checksByRule, RECENT_CHECKS_MS, startOfLastHours, toChecksRange } from "./gate-checks.ts";
import { STALE_AFTER_MS } from "./gate-staleness.ts";

const UPDATED = "Gate updated successfully.";

const change: Handlers<operations, Env>["patchGate"] = async ({ path, body, context, stores }) => {
  const gate = await stores.gates.get(path.id);
  const data = await stores.gates.replace(gate, changeGate(gate, body, context));
  return { status: 200, body: { message: UPDATED, data } };
};

export const gateHandlers = {
  listGateVersions: listVersions("listGateVersions", "Gate", (stores) => stores.gates),
  restoreGateVersion: restoreVersion("Gate", (stores) => stores.gates, {
    restore: restoreGate,
    async recreate(deleted, old, { context, stores }) {
      const gate = await stores.gates.create(restoreGate(deleted, old, context));
      await stores.gates.overrides(gate.id).bringBack();
      return gate;
    },
  }),

  async listGates({ query, context, stores }) {
    const filter = pickFilters(query);
    const { data, total } = await stores.gates.list(filter, toWindow(query), context.now - STALE_AFTER_MS);
    const pagination = paginate("/console/v1/gates", query, total);
    return { status: 200, body: { message: "Gates listed successfully.", data, pagination } };
  },

  async createGate({ body, context, stores }) {
    const data = await stores.gates.create(newGate(body, context));
    return { status: 201, body: { message: "Gate created successfully.", data } };
  },

  async getGate({ path, stores }) {
    const data = await stores.gates.get(path.id);
    return { status: 200, body: { message: "Gate read successfully.", data } };
  },

  updateGate: change,
  patchGate: change,

  async deleteGate({ path, query, stores }) {
    await stores.gates.delete(await stores.gates.get(path.id), { force: query.forceArchive });
    return { status: 200, body: { message: "Gate deleted successfully." } };
  },

  async enableGate({ path, query, context, stores }) {
    const gate = await stores.gates.get(path.id);
    const data = await stores.gates.turn(gate, gateLifecycle.enable(gate, context, query.environment), query.environment);
    return { status: 200, body: { message: UPDATED, data } };
  },

  async disableGate({ path, query, context, stores }) {
    const gate = await stores.gates.get(path.id);
    const data = await stores.gates.turn(gate, gateLifecycle.disable(gate, context, query.environment), query.environment);
    return { status: 200, body: { message: UPDATED, data } };
  },

  async launchGate({ path, context, stores }) {
    const gate = await stores.gates.get(path.id);
    const data = await stores.gates.replace(gate, launchGate(gate, context));
    return { status: 200, body: { message: UPDATED, data } };
  },

  async archiveGate({ path, body, context, stores }) {
    const gate = await stores.gates.get(path.id);
    const { archiveReason: reason, forceArchive: force } = body ?? {};
    const data = await stores.gates.replace(gate, gateLifecycle.archive(gate, context), { reason, force });
    return { status: 200, body: { message: UPDATED, data } };
  },

  async unarchiveGate({ path, body, context, stores }) {
    const gate = await stores.gates.get(path.id);
    const data = await stores.gates.replace(gate, gateLifecycle.unarchive(gate, context), { reason: body?.unarchiveReason });
    return { status: 200, body: { message: UPDATED, data } };
  },

  async getGateChecks({ path, context, stores }) {
    const gate = await stores.gates.get(path.id);
    const production = productionTiers(await stores.environments.get());
    const wasChecked = await stores.gates.checks.wasChecked(gate.id, production, context.now - RECENT_CHECKS_MS);
    const data = { has_production_checks_in_last_7_days: checkedLately(gate, wasChecked, context.now) };
    return { status: 200, body: { message: "Gate checks read successfully.", data } };
  },

  async getGateChecksByRule({ path, query, context, stores }) {
    const range = toChecksRange(query, context.now);
    const gate = await stores.gates.get(path.id);
    const checks = await stores.gates.checks.byRule(gate.id, range, query.environment?.toLowerCase());
    return { status: 200, body: { message: "Gate checks read successfully.", data: checksByRule(gate, range, checks) } };
  },

  async getChecksByEnvironment({ context, stores }) {
    const start = startOfLastHours(context.now);
    const data = checksByEnvironment(await stores.gates.checks.byEnvironment(start), start);
    return { status: 200, body: { message: "Checks read successfully.", data } };
  },

  async listGateGateReferences({ path, query, stores }) {
    const gate = await stores.gates.get(path.id);
    const { data, total } = await stores.gates.listReferring({ type: "gate", id: gate.id }, toWindow(query));
    const pagination = paginate(`/console/v1/gates/${encodeURIComponent(gate.id)}/gate_references`, query, total);
    return { status: 200, body: { message: "Gates listed successfully.", data, pagination } };
  },
} satisfies Partial<Handlers<operations, Env>>;
