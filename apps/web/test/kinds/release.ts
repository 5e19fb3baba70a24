import { hostileRules, NAME } from "../support/hostile.ts";
import type { KindTest } from "../support/kind.ts";

export default {
  async createHostile(api) {
    const rules = hostileRules.map(({ passPercentage: _, ...rule }) => rule);
    const phase = { name: NAME, timeIntervalMs: 3_600_000, requiredReview: false, rules };
    const { data: pipeline } = await api.createReleasePipeline({ body: { name: NAME, phases: [phase, { ...phase, name: "Next" }] } });
    const gate = { name: "W".repeat(100), releasePipelineID: pipeline.id, rules: hostileRules };
    const { data } = await api.createGate({ body: gate });
    return { id: data.activeRelease?.releaseID ?? "", title: `Release of gate ${data.id}` };
  },
  // Changes start releases: see releases.spec.ts.
  flow: null,
} satisfies KindTest;
