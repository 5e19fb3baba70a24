import { expect, test } from "vitest";
import type { Changes } from "../../api.ts";
import { connectWrite, describeConnection } from "./warehouse-words.ts";

const change = (fields: Record<string, [before: unknown, after: unknown]>): Changes => [
  {
    entityType: "warehouse_connection",
    entityID: "shop",
    fields: Object.entries(fields).map(([field, [before, after]]) => ({ field, before, after })),
  } as Changes[number],
];
const lines = (changes: Changes) =>
  describeConnection(changes).flatMap((entity) => entity.changes.map(({ parts }) => parts.map(({ text }) => text).join(" ")));

test("a first connection is described by its address, without secrets", () => {
  const changes = change({
    type: [null, "postgres"],
    host: [null, "warehouse.example.com"],
    port: [null, 5432],
    encryption: [null, "verified"],
    credentialsTime: [null, 1_764_000_000_000],
    version: [null, 1],
  });
  expect(lines(changes)).toEqual([
    "Engine : none → Postgres",
    "Host : none → warehouse.example.com",
    "Port : none → 5432",
    "Encryption : none → Encrypted, certificate checked",
    "Credentials : none → those in the URL",
  ]);
});

test("changing only the password counts as a change", () => {
  expect(lines(change({ credentialsTime: [1_764_000_000_000, 1_764_000_000_001], version: [1, 2] }))).toEqual([
    "Credentials : those before → those in the URL",
  ]);
});

test("a removed connection is described field by field", () => {
  expect(lines(change({ type: ["clickhouse", null], encryption: ["off", null], credentialsTime: [1, null], version: [2, 3] }))).toEqual([
    "Engine : ClickHouse → none",
    "Encryption : Not encrypted → none",
    "Credentials : those before → none",
  ]);
});

test("a write names one engine and the version that it replaces", () => {
  const url = "clickhouse://reader@warehouse.example.com/shop";
  expect(connectWrite("clickhouse", url, '"3"')).toEqual({
    operationId: "updateWarehouseConnection",
    body: { clickhouse: { url } },
    ifMatch: '"3"',
  });
});
