import { expect, test } from "vitest";
import type { Impact, Schema } from "../../api.ts";
import {
  type BulkAction,
  bulkDone,
  bulkLabel,
  bulkRequests,
  byRisk,
  checkedText,
  type ReadGate,
  riskText,
  unaffected,
  undoRequests,
} from "./bulk-writes.ts";

const gate = (id: string, given: Partial<Schema<"Gate">> = {}): ReadGate => ({
  gate: { id, isEnabled: true, status: "In Progress", tags: [], ...given } as Schema<"Gate">,
  etag: `"${id}"`,
});
const GATES = [
  gate("on"),
  gate("off", { isEnabled: false, status: "Disabled" }),
  gate("old", { status: "Archived" }),
  gate("tagged", { tags: ["a"] }),
  gate("staged", { disabledEnvironments: ["staging"] }),
];

test.each<[BulkAction, string[]]>([
  [{ id: "enable" }, ["off"]],
  [{ id: "disable" }, ["on", "tagged", "staged"]],
  [{ id: "enable", environment: "staging" }, ["staged"]],
  [{ id: "disable", environment: "staging" }, ["on", "off", "tagged"]],
  [{ id: "archive" }, ["on", "off", "tagged", "staged"]],
  [{ id: "unarchive" }, ["old"]],
  [{ id: "tag", tag: "a" }, ["on", "off", "old", "staged"]],
  [{ id: "untag", tag: "a" }, ["tagged"]],
])("%o changes only the gates that differ", (action, ids) => {
  expect(bulkRequests(GATES, action).map(({ path }) => (path as { id: string }).id)).toEqual(ids);
  expect(GATES.filter((one) => unaffected(one.gate, action) === undefined).map((one) => one.gate.id)).toEqual(ids);
});

test("in the view of one environment, gates are turned on and off only there", () => {
  const action: BulkAction = { id: "disable", environment: "staging" };
  expect(bulkRequests([gate("x")], action)).toEqual([
    { operationId: "disableGate", path: { id: "x" }, query: { environment: "staging" }, ifMatch: '"x"' },
  ]);
  expect(bulkLabel(action, 2)).toBe("Disable 2 gates in staging");
  expect(bulkDone(action, 1)).toBe("1 gate disabled in staging.");
  expect(unaffected(gate("off", { isEnabled: false }).gate, { id: "enable", environment: "staging" })).toBe("Disabled in all environments");
});

test("a tag is added to the others, on the version that was read", () => {
  expect(bulkRequests([gate("x", { tags: ["a"] })], { id: "tag", tag: "b" })).toEqual([
    { operationId: "patchGate", path: { id: "x" }, body: { tags: ["a", "b"] }, ifMatch: '"x"' },
  ]);
});

test("the gates that matter most come first, with the users and checks that they have", () => {
  const gates = [gate("idle", { checksPerHour: 0 }), gate("checked", { checksPerHour: 733 }), gate("passing", { checksPerHour: 1 })];
  const transitions = [
    { type: "gate" as const, id: "passing", from: true, to: false, count: 260 },
    { type: "dynamic_config" as const, id: "idle", from: {}, to: null, count: 9 },
  ];
  const impact = [
    { environment: "production", transitions },
    { environment: "staging", transitions: [{ ...transitions[0], count: 3 }] },
  ];
  expect(byRisk(gates, impact as Impact).map((risk) => [risk.gate.id, riskText(risk)])).toEqual([
    ["passing", "263 users would get a different value, 1 check in the last hour"],
    ["checked", "733 checks in the last hour"],
    ["idle", "not checked in the last hour"],
  ]);
});

test("the number of gates that were checked lately is said in one sentence", () => {
  expect([checkedText(20, 100), checkedText(1, 2), checkedText(0, 2), checkedText(0, 1), checkedText(1, 1)]).toEqual([
    "20 of these 100 gates were checked in the last hour.",
    "1 of these 2 gates was checked in the last hour.",
    "None of these 2 gates were checked in the last hour.",
    "This gate was not checked in the last hour.",
    "This gate was checked in the last hour.",
  ]);
});

test("the button names the action, and undoing restores the versions that were read", () => {
  expect([bulkLabel({ id: "archive" }, 34), bulkLabel({ id: "tag", tag: "a" }, 1)]).toEqual(["Archive 34 gates", "Tag 1 gate"]);
  const gates = [gate("one", { version: 3 }), gate("old", { version: 4, status: "Archived" })];
  const requests = bulkRequests(gates, { id: "archive" });
  expect(undoRequests(requests, gates, new Map([["one", '"4"']]))).toEqual([
    { operationId: "restoreGateVersion", path: { id: "one", version: 3 }, ifMatch: '"4"' },
  ]);
});
