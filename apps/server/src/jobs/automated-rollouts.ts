import { nextRollout } from "../console/common/rollout.ts";
import type { Rule } from "../console/common/rule.ts";
import { carryOutGateRollouts } from "../console/gates/gate.ts";
import { doDue } from "./do-due.ts";
import type { Job } from "./jobs.ts";

/** Carries out the automated rollouts of rules when they are due. */
export const automatedRollouts: Job = {
  name: "automatedRollouts",
  every: 1_000,
  async run(surroundings) {
    await doDue(surroundings, "gate", "carryOutGateRollouts", async ({ gates }, id, context) => {
      const gate = await gates.find(id, { lock: true });
      if (gate && isDue(gate.rules, context.now)) await gates.replace(gate, carryOutGateRollouts(gate, context));
    });
  },
};

function isDue(rules: Rule[], now: number): boolean {
  const next = nextRollout(rules);
  return next !== null && next <= now;
}
