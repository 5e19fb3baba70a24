import { expect, test } from "vitest";
import { faults } from "../../test/support/config-faults.ts";

test.each([
  "http://127.0.0.1:8123",
  "clickhouse:///events",
  "clickhouse://host/a/b",
  "clickhouse://host/a?secure=yes",
  "clickhouse://host/a?compression=1",
  "clickhouse://host/a?cluster=",
  "clickhouse://host/a?cluster=%22%20a",
  "clickhouse://host/a?constructor=a",
  "clickhouse://host:0x",
])("%s is not a ClickHouse address", (url) => {
  expect(faults({ GATEHOUSE_EVENTS_URL: url })).toEqual([
    "GATEHOUSE_EVENTS_URL must be a URL such as clickhouse://user:password@host:8123/database, with ?secure=true for TLS and ?cluster=NAME for a cluster",
  ]);
});

test.each(["DATABASE_DIRECT_URL", "DATABASE_READ_URL"])("%s needs DATABASE_URL", (name) => {
  const url = "postgres://me:secret@db.example.com/gatehouse";
  expect(faults({ [name]: url })).toEqual([`${name} needs DATABASE_URL`]);
  expect(faults({ [name]: url, DATABASE_URL: url })).toEqual([]);
});
