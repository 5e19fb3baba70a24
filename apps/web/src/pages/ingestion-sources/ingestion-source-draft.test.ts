import { expect, test } from "vitest";
import { setFields } from "../../saving/draft-model.ts";
import {
  changesRows,
  describeDraft,
  describeVersions,
  type Fields,
  type IngestionSource,
  ingestionSourceModel,
  toWriteRequests,
} from "./ingestion-source-draft.ts";

const EVENTS = {
  ...{ id: "shop", type: "postgres", enabled: true },
  data: {
    ...{ dataset: "Events", source_name: "shop", query: "select * from event" },
    column_mapping: {
      ...{ event_name: "name", timestamp: "at", unit_id: "customer", event_value: "amount" },
      ...{ ids: { companyID: "company" }, metadata: { currency: "currency" } },
    },
  },
} as unknown as IngestionSource;

const EXPOSURES = {
  ...{ id: "shown", type: "clickhouse", enabled: false },
  data: {
    ...{ dataset: "Exposures", source_name: "shown", schema: "shop", table: "exposure" },
    column_mapping: { experiment: "experiment", group_id: "variant", timestamp: "at", ids: { stableID: "device" }, metadata: {} },
  },
} as unknown as IngestionSource;

function createDraft(entity: IngestionSource, changed: Partial<Fields> = {}) {
  const stored = { entity, etag: '"1"' };
  return setFields(ingestionSourceModel.createDraft(stored, ingestionSourceModel.storedParts(stored)), changed);
}
const toBody = (entity: IngestionSource, changed: Partial<Fields>) => {
  const [request] = toWriteRequests(createDraft(entity, changed));
  return request && "body" in request ? request.body : undefined;
};

test("a change has what changed, and the version that it changes", () => {
  expect(toWriteRequests(createDraft(EVENTS))).toEqual([]);
  expect(toWriteRequests(createDraft(EVENTS, { enabled: false }))).toEqual([
    { operationId: "patchIngestionSource", path: { name: "shop" }, body: { enabled: false }, ifMatch: '"1"' },
  ]);
});

test("a query and a table replace each other, and an emptied schema is removed", () => {
  expect(toBody(EVENTS, { sourceType: "table", table: "event" })).toEqual({ schema: null, table: "event" });
  expect(toBody(EXPOSURES, { schema: " " })).toEqual({ schema: null, table: "exposure" });
  expect(toBody(EXPOSURES, { sourceType: "query", query: "select 1" })).toEqual({ query: "select 1" });
});

test("a mapping is replaced as a whole, and the userID column is a separate field", () => {
  expect(toBody(EVENTS, { units: [{ unit: "companyID", column: "firm" }] })).toEqual({
    column_mapping: {
      ...{ event_name: "name", timestamp: "at", event_value: "amount", metadata_object: "" },
      ...{ ids: { companyID: "firm" }, metadata: { currency: "currency" } },
    },
  });
  const units = [
    { unit: "stableID", column: "device" },
    { unit: "userID", column: "customer" },
  ];
  expect(toBody(EXPOSURES, { units, metadata: [{ name: "city", column: "town" }] })).toEqual({
    column_mapping: {
      ...{ experiment: "experiment", group_id: "variant", timestamp: "at", metadata_object: "" },
      ...{ unit_id: "customer", ids: { stableID: "device" }, metadata: { city: "town" } },
    },
  });
});

test("only a change of the query, the table or a column leaves copied days as they are", () => {
  expect([createDraft(EVENTS), createDraft(EVENTS, { enabled: false, type: "clickhouse" })].map(changesRows)).toEqual([false, false]);
  const changes: Partial<Fields>[] = [{ query: "select 1" }, { timestamp: "time" }, { units: [] }, { metadata: [] }];
  expect(changes.map((changed) => changesRows(createDraft(EVENTS, changed)))).toEqual([true, true, true, true]);
});

test("changes are described by the columns' names", () => {
  const units = [{ unit: "userID", column: "buyer" }];
  const words = JSON.stringify(describeDraft(createDraft(EVENTS, { enabled: false, units, metadata: [] })));
  for (const change of ["Daily copy off", "userID: buyer", "companyID: company", "currency: currency"]) expect(words).toContain(change);
  expect(describeVersions(EVENTS, EVENTS)).toEqual([]);
});
