import { expect, test } from "vitest";
import { setFields } from "../../saving/draft-model.ts";
import {
  describeDraft,
  type EntityPropertySource,
  entityPropertySourceModel,
  faultsOfDraft,
  toWriteRequests,
} from "./entity-property-source-draft.ts";

const SOURCE = {
  ...{ name: "shop", description: "", tags: [], sql: "select * from customers", timestampColumn: "since", timestampAsDay: false },
  idTypeMapping: [{ serviceUnitID: "userID", statsigUnitID: "userID", column: "customer" }],
} as unknown as EntityPropertySource;
const stored = { entity: SOURCE, etag: '"1"' };
const draft = entityPropertySourceModel.createDraft(stored, entityPropertySourceModel.storedParts(stored));

test("a save sends what changed", () => {
  expect(toWriteRequests(draft)).toEqual([]);
  const changed = setFields(draft, { timestampColumn: "", idTypeMapping: [{ unit: "stableID", column: "device" }] });
  const body = { timestampColumn: "", idTypeMapping: [{ serviceUnitID: "stableID", column: "device" }] };
  expect(toWriteRequests(changed)).toEqual([{ operationId: "patchEntityPropertySource", path: { name: "shop" }, body, ifMatch: '"1"' }]);
  expect(describeDraft(changed)[0]?.changes).toHaveLength(2);
});

test("missing fields are named at their places, and a time column is optional", () => {
  const fields = { ...draft.fields, sql: " ", timestampColumn: "", idTypeMapping: [{ unit: "", column: "" }] };
  expect(faultsOfDraft({ fields }).map(({ property }) => property)).toEqual([
    "sql",
    "idTypeMapping[0].serviceUnitID",
    "idTypeMapping[0].column",
  ]);
});
