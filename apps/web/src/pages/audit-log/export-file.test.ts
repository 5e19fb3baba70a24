import { expect, test } from "vitest";
import type { Schema } from "../../api.ts";
import { fileHead, fileLine } from "./export-file.ts";

const change: Schema<"Change"> = {
  ...{ seq: 7, time: 0, actorID: "p", actorName: 'Ada "the first", L.', operationID: "patchGate", entityType: "gate", entityID: "g" },
  ...{
    entityName: null,
    version: 3,
    isDeletion: false,
    reason: null,
    requestID: "r",
    fields: [{ field: "name", before: "a", after: "b", isCut: false }],
    fieldCount: 1,
  },
};

test("NDJSON has each entry unchanged, on a separate line", () => {
  expect(fileHead("ndjson", false)).toBe("");
  expect(fileLine("ndjson", false, change)).toBe(`${JSON.stringify(change)}\n`);
});

test("CSV quotes commas and quotes, and writes times that spreadsheets read", () => {
  expect(fileHead("csv", false)).toBe(
    "seq,time,actorID,actorName,operationID,entityType,entityID,entityName,version,isDeletion,reason,requestID,fieldCount,fields\r\n",
  );
  expect(fileLine("csv", false, change)).toBe(
    '7,1970-01-01T00:00:00.000Z,p,"Ada ""the first"", L.",patchGate,gate,g,,3,false,,r,1,' +
      '"[{""field"":""name"",""before"":""a"",""after"":""b"",""isCut"":false}]"\r\n',
  );
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"])("CSV hands no formula to a spreadsheet: %j", (entityID) => {
  expect(fileLine("csv", false, { ...change, entityID })).toContain(`'${entityID},`);
});
