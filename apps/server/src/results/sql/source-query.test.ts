import { expect, test } from "vitest";
import { postgres } from "./dialect.ts";
import { sourceQuery, withFormulas } from "./source-query.ts";

const query = (sql: string) => sourceQuery({ sourceType: "query", sql, tableName: "" }, postgres);

test("a query loses the semicolons and white space at its end, and nothing else", () => {
  expect(query("select 1; select ' ; ' \n;\t;  ")).toBe("select 1; select ' ; '");
  expect(query(" ;\n")).toBe("");
});

test("a table is read by its name, with each part quoted", () => {
  expect(sourceQuery({ sourceType: "table", sql: "", tableName: 'shop.or"ders' }, postgres)).toBe('select * from "shop"."or""ders"');
});

test("formulas follow the columns of a query, and a comment ends none of them", () => {
  const formulas = [{ key: "large", formula: "total > 9 -- crowns" }];
  expect(withFormulas("select total from orders -- all", formulas, postgres)).toBe(
    'select source.*, (\ntotal > 9 -- crowns\n) as "large" from (\nselect total from orders -- all\n) as source',
  );
  expect(withFormulas("select 1", [], postgres)).toBe("select 1");
});
