import { describe, expect, it } from "vitest";
import { toText } from "../../targeting/parts.ts";
import { chooseEveryone, removeRule } from "../../targeting/rule-draft.ts";
import { addPhase, addPhaseRule, movePhase } from "./phase-draft.ts";
import { describeDraft, findFaults, type Pipeline, type PipelineDraft, pipelineModel, toWriteRequests } from "./pipeline-draft.ts";

const DAY_MS = 86_400_000;
const staff = {
  ...{ id: "p1", name: "Staff", timeIntervalMs: DAY_MS, requiredReview: false },
  rules: [{ id: "r1", name: "Employees", conditions: [{ type: "user_id" as const, operator: "any" as const, targetValue: ["ada"] }] }],
};
const all = { id: "p2", name: "All", timeIntervalMs: 0, requiredReview: true, rules: [{ id: "r2", name: "Everyone", conditions: [] }] };
const entity = { id: "pipeline", name: "Staff first", phases: [staff, all], version: 1 } as unknown as Pipeline;
const stored = { entity, etag: '"1"' };
const start: PipelineDraft = pipelineModel.createDraft(stored, pipelineModel.storedParts(stored));
const words = (draft: PipelineDraft) => describeDraft(draft).flatMap(({ changes }) => changes.map(({ parts }) => toText(parts)));

describe("a draft of a release pipeline", () => {
  it("writes nothing without edits, nor after an edit that was taken back", () => {
    expect(toWriteRequests(start)).toEqual([]);
    const [first, ...rest] = start.phases as [PipelineDraft["phases"][number]];
    const added = addPhaseRule(first);
    const rules = removeRule(added, added.items.at(-1)?.key ?? "");
    expect(pipelineModel.countChanges({ ...start, phases: [{ ...first, rules }, ...rest] })).toBe(0);
  });

  it("writes the whole list of phases once one changes, with the ids that they have", () => {
    const [first, second] = start.phases as [PipelineDraft["phases"][number], PipelineDraft["phases"][number]];
    const metric = { name: "errors", type: "event_count_custom", guardrail: { maxHarmPercent: 5 } };
    const phases = [{ ...first, timeIntervalMs: 2 * DAY_MS, guardrailMetrics: [metric], guardrailAlerts: ["spike"] }, second];
    const written = (phase: typeof staff | typeof all) => ({
      ...phase,
      rules: phase.rules.map((rule) => ({ ...rule, environments: null })),
      guardrailMetrics: [],
      guardrailAlerts: [],
    });
    const guarded = { guardrailMetrics: [{ name: "errors", type: "event_count_custom", maxHarmPercent: 5 }], guardrailAlerts: ["spike"] };
    expect(toWriteRequests({ ...start, phases })).toEqual([
      {
        ...{ operationId: "updateReleasePipeline", path: { id: "pipeline" }, ifMatch: '"1"' },
        body: { phases: [{ ...written(staff), timeIntervalMs: 2 * DAY_MS, ...guarded }, written(all)] },
      },
    ]);
    expect(words({ ...start, phases })).toEqual([
      "Phase “Staff”: lasts 1 day → 2 days",
      "Phase “Staff”: guardrail metrics: + errors (event count custom)",
      "Phase “Staff”: errors (event count custom): may get worse by 5% at most",
      "Phase “Staff”: guardrail alerts: + spike",
    ]);
  });

  it("says what a new phase does, and in which order phases are", () => {
    const phases = movePhase(addPhase(start.phases), 2, 0).map((phase) => {
      if (phase.id !== undefined) return phase;
      const rules = addPhaseRule(phase);
      return { ...phase, name: "Beta", rules: chooseEveryone(rules, rules.items[0]?.key ?? "") };
    });
    expect(words({ ...start, phases })).toEqual([
      "Phase “Beta” added: lasts 1 day, begins without approval",
      "Phase “Beta”: Rule “Rule” added: Everyone gets the change.",
    ]);
    expect(words({ ...start, phases: movePhase(start.phases, 0, 1) })).toEqual(["Phases in another order: All and Staff"]);
    expect(words({ ...start, name: "All", phases: start.phases.slice(1) })).toEqual(["Name: Staff first → All", "Phase “Staff” removed"]);
  });

  it("names each fault by its place in a request", () => {
    const [first, second] = start.phases as [PipelineDraft["phases"][number], PipelineDraft["phases"][number]];
    const faulty = { ...first, name: "All", rules: addPhaseRule(first), guardrailMetrics: [{ name: "errors", type: "sum" }] };
    expect(findFaults({ ...start, name: " ", phases: [faulty, second] }).map(({ property, message }) => `${property}: ${message}`)).toEqual(
      [
        "name: Enter a name.",
        "phases[0].name: Another phase has this name.",
        "phases[0].rules[1].conditions: Choose an audience: everyone, or users who match a condition.",
        "phases[0].guardrailMetrics[0].maxHarmPercent: Enter a percentage from 0 to 100.",
        "phases[1].name: Another phase has this name.",
      ],
    );
  });
});
