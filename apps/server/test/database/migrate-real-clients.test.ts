import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../src/store/database/database.ts";
import { migrate, readMigrations } from "../../src/store/database/migrate.ts";
import { openEmptyDatabase } from "../support/empty-database.ts";

/** JSON that parsing and serializing changes: the order of keys, and the notation of numbers and characters. */
const VALUE = '{"b":1.0,"a":"\\u00e9","10":{"id":""},"9":1e2}';
const rule = (id: string, name: string, rest = "") =>
  `{"name":"${name}","id":"${id}","baseID":"${id}","passPercentage":50,"conditions":[]${rest}}`;
const text = (id: string, field: string, rules: string[], rest = "") =>
  `{"id":"${id}","version":3,"${field}":[${rules.join(",")}]${rest},"description":"Rules with \\"id\\":\\"\\""}`;
const inline = (rules: string[]) => `,"inlineTargetingRulesJSON":${JSON.stringify(`{"rules":[${rules.join(",")}]}`)}`;

const STORED: Record<string, string> = {
  gate: text("g", "rules", [rule("", "Pro"), rule("kept", "Staff", `,"returnValue":${VALUE}`)]),
  dynamic_config: text("d", "rules", [rule("kept", "Pro", `,"variants":[{"name":"A","id":"","returnValue":${VALUE}}]`)]),
  segment: text("s", "rules", [rule("", "Pro", `,"returnValue":${VALUE}`)]),
  experiment: text("e", "inlineTargetingRules", [rule("", "Pro")], inline([rule("", "Pro")])),
};
/** An entity whose empty id does not belong to a rule. */
const UNTOUCHED = text("untouched", "rules", [rule("kept", "Pro", `,"returnValue":${VALUE}`)]);

const mapping = (...names: string[]) => `{${names.map((name) => `"${name}":"a \\"b\\" \\\\"`).join(",")},"column":"c"}`;
const source = (...names: string[]) =>
  `{"name":"m","sql":"select '{\\"serviceUnitID\\":\\"x\\",\\"column\\":1}'","version":1,"idTypeMapping":[${mapping(...names)},${mapping(...names)}]}`;

let database: Database;
const query = <T>(sql: string, values: unknown[] = []) => database.withSession((session) => session.query<T>(sql, values));
const textOf = async (kind: string, id: string) =>
  (await query<{ entity: string }>(`select entity from "${kind}" where id = $1`, [id]))[0]?.entity ?? "";

beforeAll(async () => {
  database = await openEmptyDatabase();
  const migrations = readMigrations();
  await migrate(
    database,
    migrations.filter(({ name }) => name < "0008"),
  );
  await query(`insert into project (id, name, "createdTime", "rulesetTime") values ('p', 'Project', 1, 9000000000000)`);
  const columns: Record<string, string> = {
    gate: `"isEnabled", "isArchived"`,
    dynamic_config: `"isEnabled", "isArchived"`,
    segment: `"isArchived"`,
    experiment: `"status"`,
  };
  const entities = [...Object.entries(STORED), ["gate", UNTOUCHED] as const];
  for (const [kind, entity] of entities) {
    const { id } = JSON.parse(entity);
    const required = await query<{ name: string; type: string }>(
      `select column_name as name, data_type as type from information_schema.columns
       where table_name = $1 and is_nullable = 'NO' and column_default is null`,
      [kind],
    );
    expect(columns).toHaveProperty(kind);
    const values = required.map(({ name, type }) =>
      name === "projectID"
        ? "p"
        : name === "id"
          ? id
          : name === "entity"
            ? entity
            : name === "version"
              ? 3
              : type === "boolean"
                ? false
                : type === "ARRAY"
                  ? "{}"
                  : type === "text"
                    ? "x"
                    : 1,
    );
    const names = required.map(({ name }) => `"${name}"`).join(", ");
    await query(`insert into "${kind}" (${names}) values (${values.map((_, index) => `$${index + 1}`).join(", ")})`, values);
  }
  await query(`insert into metric_source ("projectID", name, version, "createdTime", entity) values ('p', 'm', 1, 1, $1)`, [
    source("serviceUnitID"),
  ]);
  await query(
    `insert into change ("projectID", time, "actorID", "actorName", "operationID", "entityType", "entityID", version, before, after)
     values ('p', 1, 'a', 'A', 'createMetricSource', 'metric_source', 'm', 1, null, $1)`,
    [source("serviceUnitID")],
  );
  await migrate(database, migrations);
});
afterAll(() => database.close());

describe("an entity whose rules were stored with an empty id", () => {
  test.each(Object.keys(STORED))("%s: gets rule ids, and keeps every other byte except its version", async (kind) => {
    const before = STORED[kind] as string;
    const after = await textOf(kind, JSON.parse(before).id);
    const ids = [...after.matchAll(/"id":"([0-9a-f]{22})"/g)].map(([, id]) => id as string);
    expect(ids.length).toBe(1);
    // An experiment stores its rules twice: as JSON and as text.
    const again = after.replaceAll(`"id":"${ids[0]}"`, '"id":""').replaceAll(`\\"id\\":\\"${ids[0]}\\"`, '\\"id\\":\\"\\"');
    expect(again).toBe(before.replace('"version":3', '"version":4'));
    const rows = await query<{ version: number }>(`select version from "${kind}" where id = $1`, [JSON.parse(before).id]);
    expect(rows).toEqual([{ version: 4 }]);
  });

  test("has the change in its history; each change and the migration raise the ruleset's time", async () => {
    const changes = await query<{ entityType: string; version: number; before: string; after: string; seq: string }>(
      `select "entityType", version, before, after, seq::text from change where "operationID" = 'migrate' order by seq`,
    );
    expect(changes.map(({ entityType, version }) => [entityType, version])).toEqual(Object.keys(STORED).map((kind) => [kind, 4]));
    for (const { entityType, before, after } of changes) {
      expect(before).toBe(STORED[entityType]);
      expect(after).toBe(await textOf(entityType, JSON.parse(before).id));
    }
    const [project] = await query<{ time: string; last: string }>(
      `select "rulesetTime"::text as time, "lastSeq"::text as last from project`,
    );
    expect(project).toEqual({ time: "9000000000005", last: "5" });
  });

  test("does not include entities with an empty id elsewhere", async () => {
    expect(await textOf("gate", "untouched")).toBe(UNTOUCHED);
  });
});

describe("a metric source that was stored with one name of its unit types", () => {
  test("gets both names, also in its versions, and keeps every other byte", async () => {
    const expected = source("serviceUnitID", "statsigUnitID");
    expect(await query("select entity from metric_source")).toEqual([{ entity: expected }]);
    expect(await query(`select before, after from change where "entityType" = 'metric_source'`)).toEqual([
      { before: null, after: expected },
    ]);
  });
});
