import { expect, test } from "vitest";
import { describeQuery } from "./query-text.ts";

const describe = (text: string) => describeQuery({ system: "postgresql", text });

test("a statement has its verb, its table and its text without literals", () => {
  const sql = `select "id", "v2" from gate\n  where "projectID" = $1 and name = 'it''s' and size > 12.5 limit 10`;
  expect(describe(sql)).toEqual({
    summary: "SELECT gate",
    operation: "SELECT",
    text: 'select "id", "v2" from gate where "projectID" = $1 and name = ? and size > ? limit ?',
  });
});

test.each([
  ["with due as (select 1) update webhook_delivery set x = $1", "SELECT webhook_delivery"],
  ['insert into "change" values ($1)', "INSERT change"],
  ["update project set x = $1", "UPDATE project"],
  ["commit", "QUERY"],
])("the summary of %s is %s", (sql, summary) => {
  expect(describe(sql).summary).toBe(summary);
});

test("a literal that is cut in the middle does not appear", () => {
  const { text } = describe(`select '${"secret ".repeat(1_000)}'`);
  expect(text).toBe("select ?");
});

test("a quote that ClickHouse escapes with a backslash does not end a literal, which it does in Postgres", () => {
  const text = "delete from event where a = 'x\\' and b = 'y'";
  expect(describe(text).text).toBe("delete from event where a = ? and b = ?");
  expect(describeQuery({ system: "clickhouse", text: "delete from event where a = 'x\\'s' and b = 'y'" }).text).toBe(
    "delete from event where a = ? and b = ?",
  );
});
