import { nextRollout } from "../console/common/rollout.ts";
import type { Rule } from "../console/common/rule.ts";
import { configLifecycle } from "../console/dynamic-configs/dynamic-config.ts";
import { gateLifecycle } from "../console/gates/gate.ts";
import { doDue } from "./do-due.ts";
import type { Job } from "./jobs.ts";

const PLANNED = { isPlanned: true };

/** Applies automated rollouts of rules when they are due. */
export const automatedRollouts: Job = {
  name: "automatedRollouts",
  intervalMs: 1_000,
  async run(env) {
    await doDue(env, "gate", "carryOutGateRollouts", async ({ gates }, id, context) => {
      const gate = await gates.find(id, { lock: true });
      if (gate && isDue(gate, context.now)) await gates.replace(gate, gateLifecycle.carryOutRollouts(gate, context), PLANNED);
    });
    await doDue(env, "dynamic_config", "carryOutDynamicConfigRollouts", async ({ dynamicConfigs }, id, context) => {
      const config = await dynamicConfigs.find(id, { lock: true });
      if (config && isDue(config, context.now))
        await dynamicConfigs.replace(config, configLifecycle.carryOutRollouts(config, context), PLANNED);
    });
  },
};

/** An entity that has been archived or paused keeps its rollouts until that ends. */
function isDue({ status, rules, pausedBy }: { status?: string; rules: Rule[]; pausedBy?: object[] }, now: number): boolean {
  const next = nextRollout(rules);
  return status !== "Archived" && !pausedBy && next !== null && next <= now;
}
