import { expect, test } from "vitest";
import { conflictsIn, setFields } from "../../saving/draft-model.ts";
import { toText } from "../../targeting/parts.ts";
import { filterDrafts, filtersBody } from "./assignment-filters.ts";
import { checklist, whyNotStart } from "./checklist.ts";
import {
  addGroup,
  describeDraft,
  experimentModel,
  faultsOfDraft,
  type StoredExperiment,
  toWriteRequests,
  withEqualSizes,
} from "./experiment-draft.ts";
import { type Experiment, stateSentence } from "./states.ts";

const GROUPS = [
  { id: "control", name: "Control", size: 50, parameterValues: { color: "blue" } },
  { id: "test", name: "Test", size: 50, parameterValues: { color: "green" } },
];
const EXPERIMENT = {
  ...{ id: "button", name: "Button", description: "", hypothesis: "Green sells.", tags: [], allocation: 100, duration: 14, version: 2 },
  ...{ primaryMetrics: [{ name: "revenue", type: "sum" }], secondaryMetrics: [] },
  ...{ targetingGateID: null, controlGroupID: "control", status: "setup", groups: GROUPS, startTime: null, scheduledStartTime: null },
} as unknown as Experiment;
const stored = (given: Partial<Experiment> = {}, etag = '"2"'): StoredExperiment => ({ entity: { ...EXPERIMENT, ...given }, etag });
const createDraft = (read: StoredExperiment) => experimentModel.createDraft(read, experimentModel.storedParts(read));
const draftFields = (given: Partial<Experiment> = {}) => createDraft(stored(given)).fields;

test("a draft without edits writes nothing", () => {
  expect(toWriteRequests(createDraft(stored()))).toEqual([]);
});

test("groups keep their ids, and their texts become values", () => {
  const draft = createDraft(stored());
  const groups = draft.fields.groups.map((group) => (group.id === "test" ? { ...group, values: "{ color: 'red' /* warm */ }" } : group));
  expect(toWriteRequests(setFields(draft, { groups }))).toMatchObject([
    {
      operationId: "patchExperiment",
      ifMatch: '"2"',
      body: {
        groups: [
          { id: "control", size: 50 },
          { id: "test", parameterValues: { color: "red" } },
        ],
      },
    },
  ]);
});

test("the review tells the changes of each group", () => {
  const draft = createDraft(stored());
  const [control, treatment] = draft.fields.groups;
  if (!control || !treatment) throw new Error("There are two groups.");
  const groups = addGroup([
    { ...control, size: 40 },
    { ...treatment, name: "Green", size: 60 },
  ]);
  const lines = describeDraft(setFields(draft, { groups, allocation: 20 })).flatMap(({ changes }) =>
    changes.map(({ parts }) => toText(parts)),
  );
  expect(lines).toEqual([
    "Allocation: 100% → 20%",
    "Group “Control”: size 50% → 40%",
    "Group “Test”: renamed to “Green”",
    "Group “Green”: size 50% → 60%",
    "Group “Group” added with 0% and these values",
  ]);
});

test("conditions of assignments are described, checked and sent as the server takes them", () => {
  const read = stored({ assignmentSourceFilters: [{ column: "country", condition: "in", values: ["NO"] }] });
  const missing = { column: "device", condition: "is_null" as const, values: ["left over"] };
  const draft = setFields(createDraft(read), { assignmentSourceExperimentName: "shop-button", assignmentSourceFilters: [missing] });
  const assignmentSourceFilters = [{ column: "device", condition: "is_null" }];
  expect(toWriteRequests(draft).map(({ body }) => body)).toEqual([
    { assignmentSourceExperimentName: "shop-button", assignmentSourceFilters },
  ]);
  expect(describeDraft(draft).flatMap(({ changes }) => changes.map(({ parts }) => toText(parts)))).toEqual([
    "Experiment in the source: none → shop-button",
    "Conditions of assignments changed",
  ]);
  const empty = { column: "", condition: ">" as const, values: ["many"] };
  expect(faultsOfDraft(setFields(draft, { assignmentSourceFilters: [empty] })).map(({ property }) => property)).toEqual([
    "assignmentSourceFilters[0].column",
    "assignmentSourceFilters[0].values",
  ]);
});

test("conditions of assignments that the server takes no more stay as they are stored", () => {
  const filters = [{ condition: "sql_filter" as const, values: ["country = 'NO'"] }, { condition: "in" as const }];
  const draft = createDraft(stored({ assignmentSourceFilters: filters }));
  expect([filterDrafts(filters), filtersBody(filters), faultsOfDraft(draft)]).toEqual([undefined, filters, []]);
  expect(faultsOfDraft(createDraft(stored({ assignmentSourceFilters: [{ condition: "in" }] })))).toEqual([]);
});

test("equal sizes sum to 100 for any number of groups", () => {
  const groups = addGroup(draftFields().groups);
  expect(withEqualSizes(groups).map(({ size }) => size)).toEqual([33.34, 33.33, 33.33]);
  expect(faultsOfDraft(setFields(createDraft(stored()), { groups: withEqualSizes(groups) }))).toEqual([]);
});

test("names, values and sizes are checked at their places", () => {
  const [control, treatment] = draftFields().groups;
  if (!control || !treatment) throw new Error("There are two groups.");
  const groups = [control, { ...treatment, name: "Control", size: 40, values: "{" }];
  expect(faultsOfDraft(setFields(createDraft(stored()), { groups })).map(({ property }) => property)).toEqual([
    "groups[1].name",
    "groups[1].parameterValues",
    "groups",
  ]);
});

test("changes by both people to one field conflict, even within the groups", () => {
  const draft = setFields(createDraft(stored()), { groups: withEqualSizes(addGroup(draftFields().groups)), hypothesis: "Mine" });
  const later = stored({ hypothesis: "Theirs", allocation: 50 }, '"3"');
  expect(conflictsIn(experimentModel, draft, later).map(({ path }) => path)).toEqual(["hypothesis"]);
});

test("the checklist says what is missing before the start", () => {
  expect(whyNotStart(checklist(draftFields()))).toBeUndefined();
  const levels = (given: Partial<Experiment>) =>
    checklist(draftFields(given)).flatMap(({ id, level }) => (level === "done" ? [] : [`${id}: ${level}`]));
  expect(levels({ hypothesis: " " })).toEqual(["hypothesis: missing"]);
  expect(levels({ allocation: 0 })).toEqual(["allocation: missing"]);
  expect(levels({ allocation: 1, duration: 2 })).toEqual(["allocation: risky", "duration: risky"]);
  expect(levels({ primaryMetrics: [] })).toEqual(["metrics: risky"]);
  const [control] = GROUPS;
  expect(levels({ groups: [{ ...control, size: 100 }] as Experiment["groups"] })).toEqual(["groups: missing", "values: missing"]);
});

test("the state says what comes next", () => {
  const DAY_MS = 86_400_000;
  const running = { ...EXPERIMENT, status: "active" as const, startTime: 0 };
  expect(stateSentence(running, 3.5 * DAY_MS)).toBe("Running. Day 4 of 14.");
  expect(stateSentence(running, 20 * DAY_MS)).toBe("Planned end reached. Day 20 (14 planned). Ready to decide.");
  expect(stateSentence({ ...EXPERIMENT, status: "decision_made", launchedGroupID: "test" }, 0)).toBe("Shipped Test to everyone.");
});

test("the checklist says whether the planned duration is long enough for what is expected, once that is computed", () => {
  const needs = (duration: number) =>
    checklist({ ...experimentModel.storedParts({ entity: EXPERIMENT, etag: "" }), duration }, [
      { metric: "Revenue", effect: 2, days: 9 },
      { metric: "Visits", effect: 1, days: undefined },
    ]).flatMap(({ id, level, text }) => (id.startsWith("need") ? [`${level}: ${text}`] : []));
  expect(needs(14)).toEqual([
    "done: Long enough to detect a change of 2% in Revenue.",
    "risky: At this traffic, it would take more than ten years to detect a change of 1% in Visits. Increase the allocation, or plan for a larger change.",
  ]);
  expect(needs(8)[0]).toBe("risky: Plan at least 9 days to detect a change of 2% in Revenue. 8 days is too short.");
});

test("a guardrail is written, described, and marked with the metric that it belongs to", () => {
  const draft = createDraft(stored());
  const guarded = setFields(draft, { primaryMetrics: [{ name: "revenue", type: "sum", guardrail: { maxHarmPercent: 101 } }] });
  expect(toWriteRequests(guarded)).toMatchObject([{ body: { primaryMetrics: [{ name: "revenue", guardrail: { maxHarmPercent: 101 } }] } }]);
  expect(describeDraft(guarded).flatMap(({ changes }) => changes.map(({ parts }) => toText(parts)))).toEqual([
    "revenue (sum): may get worse by 101% at most",
  ]);
  expect(faultsOfDraft(guarded)).toEqual([
    { property: "primaryMetrics[0].guardrail.maxHarmPercent", level: "error", message: "Enter a percentage from 0 to 100." },
  ]);
  expect(experimentModel.toText("primaryMetrics", guarded.fields.primaryMetrics, stored())).toBe(
    "revenue (sum): may get worse by 101% at most",
  );
});

test("an expected effect that changed is described with its metric", () => {
  const draft = createDraft(stored());
  const expected = setFields(draft, { primaryMetrics: [{ name: "revenue", type: "sum", direction: "increase", hypothesizedValue: 5 }] });
  expect(describeDraft(expected).flatMap(({ changes }) => changes.map(({ parts }) => toText(parts)))).toEqual([
    "revenue (sum): expected effect none → increase by 5%",
  ]);
});
