import { expect, test } from "vitest";
import { faultsInForm, faultsOfDraft, placeIn, previewRequest } from "./form-places.ts";
import type { Fields, IngestionSource } from "./ingestion-source-draft.ts";

const FORM: Fields = {
  ...{ enabled: true, type: "postgres", sourceType: "query", query: "select * from event", schema: "", table: "" },
  ...{ event_name: "name", experiment: "", group_id: "", timestamp: "at", event_value: "", metadata_object: "" },
  units: [
    { unit: "companyID", column: "company" },
    { unit: "userID", column: "customer" },
  ],
  metadata: [{ name: "cart.currency", column: "currency" }],
  ...{ team: null, teamID: null, owner: null },
};

const findFaults = (dataset: "Events" | "Exposures", changed: Partial<Fields>) =>
  faultsOfDraft({ stored: { entity: { data: { dataset } } as IngestionSource, etag: "" }, fields: { ...FORM, ...changed } }).map(
    ({ property, message }) => [property, message],
  );

test("a preview asks for the rows with the columns that are chosen by now", () => {
  expect(previewRequest("Events", FORM).body).toEqual({
    query: "select * from event",
    column_mapping: {
      ...{ event_name: "name", timestamp: "at", event_value: "", metadata_object: "" },
      ...{ unit_id: "customer", ids: { companyID: "company" }, metadata: { "cart.currency": "currency" } },
    },
  });
  const units = [{ unit: "userID", column: "" }];
  const metadata = [{ name: "", column: "currency" }];
  expect(previewRequest("Exposures", { ...FORM, sourceType: "table", table: "exposure", units, metadata }).body).toEqual({
    table: "exposure",
    column_mapping: { experiment: "", group_id: "", timestamp: "at", metadata_object: "", ids: {}, metadata: {} },
  });
});

test("faults of a request are shown at the rows of the form", () => {
  const toPlace = placeIn(FORM);
  expect(
    ["column_mapping.unit_id", "column_mapping.ids.companyID", "column_mapping.ids.gone", "column_mapping.metadata.cart.currency"].map(
      toPlace,
    ),
  ).toEqual(["idTypeMapping[1].column", "idTypeMapping[0].column", "idTypeMapping", "metadata[0].column"]);
  expect(["query", "column_mapping.timestamp"].map(toPlace)).toEqual(["query", "column_mapping.timestamp"]);
  const fault = { property: "column_mapping.unit_id", message: "is required", level: "error" as const };
  expect(faultsInForm([fault], { units: [], metadata: [] })).toEqual([{ ...fault, property: "idTypeMapping" }]);
});

test("input that the server would refuse is an error at its place", () => {
  expect(findFaults("Events", {})).toEqual([]);
  expect(findFaults("Events", { query: " ", event_name: "", timestamp: "", units: [] })).toEqual([
    ["query", "Enter the query that returns the rows."],
    ["column_mapping.event_name", "Enter the column with the name of each event."],
    ["column_mapping.timestamp", "Enter the column with the time of each row."],
    ["idTypeMapping", "Add a column with unit IDs."],
  ]);
  expect(findFaults("Exposures", { sourceType: "table" })).toEqual([
    ["table", "Enter the name of the table."],
    ["column_mapping.experiment", "Enter the column with the experiment."],
    ["column_mapping.group_id", "Enter the column with the group."],
  ]);
  const units = [
    { unit: "userID", column: "a" },
    { unit: "userID", column: "" },
  ];
  const metadata = [
    { name: "city", column: "a" },
    { name: "city", column: "" },
    { name: "", column: "b" },
  ];
  expect(findFaults("Events", { units, metadata })).toEqual([
    ["idTypeMapping[1].serviceUnitID", "Another column already has this unit ID type."],
    ["idTypeMapping[1].column", "Enter the column."],
    ["metadata[1].name", "Another column already has this name."],
    ["metadata[1].column", "Enter the column."],
    ["metadata[2].name", "Enter a name."],
  ]);
});
