import { expect, test } from "vitest";
import { datasetsOf, type Evaluation, isFinished, rowsText, scoresByVersion, scoreText } from "./evaluation-words.ts";

const make = (id: string, versionID: string, datasetID: string, graders: string[]) =>
  ({
    id,
    versionID,
    datasetID,
    datasetName: datasetID.toUpperCase(),
    graders: graders.map((name) => ({ name, type: "equals" })),
  }) as Evaluation;

const VERSIONS = ["b", "a"].map((id) => ({ id, name: id }));
const NEWEST_FIRST = [
  make("4", "a", "orders", ["Same"]),
  make("3", "b", "orders", ["Same", "Short"]),
  make("2", "a", "mails", ["Other"]),
  make("1", "b", "orders", ["Old"]),
  make("0", "deleted", "orders", ["Gone"]),
];

test("each version has the scores of its newest evaluation over the dataset, without deleted versions", () => {
  const { graders, versions } = scoresByVersion(VERSIONS, NEWEST_FIRST, "orders");
  expect(graders).toEqual(["Same", "Short"]);
  expect(versions.map(({ version, evaluation }) => [version.id, evaluation.id])).toEqual([
    ["b", "3"],
    ["a", "4"],
  ]);
  expect(scoresByVersion(VERSIONS, [], "orders")).toEqual({ graders: [], versions: [] });
});

test("each dataset is offered once, the latest one first", () => {
  expect(datasetsOf(NEWEST_FIRST)).toEqual([
    { id: "orders", label: "ORDERS" },
    { id: "mails", label: "MAILS" },
  ]);
});

test("scores are percentages, and rows count failed ones apart", () => {
  expect([0.75, 0, null, undefined].map(scoreText)).toEqual(["75%", "0%", "–", "–"]);
  expect(rowsText({ rows: 10, completedRows: 4, failedRows: 0 })).toBe("4 of 10");
  expect(rowsText({ rows: 10, completedRows: 4, failedRows: 2 })).toBe("6 of 10, 2 failed");
  const statuses = ["QUEUED", "RUNNING", "COMPLETED", "FAILED", "CANCELED"] as const;
  expect(statuses.filter((status) => isFinished({ status }))).toEqual(["COMPLETED", "FAILED", "CANCELED"]);
});
