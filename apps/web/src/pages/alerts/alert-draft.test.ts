import { expect, test } from "vitest";
import { conditionInWords, describeStatus, durationOptions } from "../../results/alert-words.ts";
import { durationInWords } from "../../ui/time-text.ts";
import {
  type AlertDraft,
  alertModel,
  describeDraft,
  describeVersions,
  type Fields,
  type StoredAlert,
  toWriteRequests,
  withCondition,
  withReport,
} from "./alert-draft.ts";

const HOUR_MS = 3_600_000;

const stored = {
  entity: {
    ...{ id: "few_checkouts", name: "Few checkouts", message: "Call.", tags: ["shop"], metrics: { A: { id: "Checkouts::event_user" } } },
    ...{ alertType: "pct_change", condition: "less", alertThreshold: -50, windowMs: HOUR_MS, priority: "P1" },
  },
  etag: '"3"',
} as unknown as StoredAlert;
const draft = alertModel.createDraft(stored, alertModel.storedParts(stored));
const change = (fields: Partial<Fields>): AlertDraft => ({ ...draft, fields: { ...draft.fields, ...fields } });
const toBodies = (changed: AlertDraft) => toWriteRequests(changed).map(({ body }) => body);
const describeChanges = (changed: AlertDraft) =>
  describeDraft(changed).flatMap(({ changes }) =>
    changes.map((one) => ("parts" in one ? one.parts : []).map(({ text }) => text).join(" ")),
  );

test("a save writes the fields that differ, on the version that was read", () => {
  expect([toWriteRequests(draft), describeDraft(draft)]).toEqual([[], []]);
  expect(toWriteRequests(change({ metric: "Orders::sum", alertThreshold: -40, description: "Wait." }))).toEqual([
    {
      operationId: "patchAlert",
      path: { id: "few_checkouts" },
      body: { metrics: { A: { id: "Orders::sum" } }, alertThreshold: -40, message: "Wait." },
      ifMatch: '"3"',
    },
  ]);
});

test("the first report comes every four hours, and the last one takes time and message with it", () => {
  const first = { ...draft.fields, ...withReport(draft.fields, "no-data", true) };
  const both = { ...first, ...withReport(first, "raise", true), reportMessage: "Still." };
  expect(toBodies(change(both))).toEqual([
    { renotificationConditions: ["raise", "no-data"], renotificationWindowMs: 4 * HOUR_MS, renotificationMessage: "Still." },
  ]);
  const one = { ...both, ...withReport(both, "no-data", false) };
  expect(one).toMatchObject({ reports: ["raise"], reportMessage: "Still." });
  expect(toBodies(change({ ...one, ...withReport(one, "raise", false) }))).toEqual([]);
});

test("a condition without an order takes the warning away", () => {
  expect(withCondition("greater")).toEqual({ condition: "greater" });
  expect(withCondition("not_equal")).toEqual({ condition: "not_equal", warningThreshold: null });
});

test("the review says durations and conditions in words", () => {
  expect(describeChanges(change({ condition: "greater_or_equal", windowMs: 5 * 60_000, warningThreshold: -60 }))).toEqual([
    "Condition : less than → greater than or equal to",
    "Warning threshold : none → -60",
    "Window : 1 hour → 5 minutes",
  ]);
  expect(describeVersions(stored.entity, { ...stored.entity, priority: "P0" })).toHaveLength(1);
});

test("an alert is described in words, with durations in the largest whole unit", () => {
  expect(conditionInWords(stored.entity)).toBe("change less than −50% over 1 hour");
  expect([90_000, 86_400_000, 5_400_000, 1_500].map(durationInWords)).toEqual(["90 seconds", "1 day", "90 minutes", "1,500 milliseconds"]);
  expect(describeStatus({ status: null }).name).toBe("Not checked yet");
});

test("a duration that a program set can be chosen", () => {
  expect(durationOptions(null).map(({ id }) => id)).not.toContain("420000");
  expect(durationOptions(420_000).slice(0, 3)).toEqual([
    { id: "300000", label: "5 minutes" },
    { id: "420000", label: "7 minutes" },
    { id: "600000", label: "10 minutes" },
  ]);
});
