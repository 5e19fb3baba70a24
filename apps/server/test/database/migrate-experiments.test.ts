import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../src/store/database/database.ts";
import { migrate, readMigrations } from "../../src/store/database/migrate.ts";
import { openEmptyDatabase } from "../support/empty-database.ts";

const old = (id: string, given: { status: string; layerID?: string; [field: string]: unknown }) => ({
  id,
  name: id,
  targetApps: ["web"],
  experimentType: "BASE",
  isStale: false,
  allocation: 1,
  ...given,
});
const targeting = {
  targetingGateID: "gate",
  inlineTargetingRules: [{ conditions: [{ type: "passes_segment", targetValue: "segment" }] }],
  tags: ["tag"],
  idType: "companyID",
};
const EXPERIMENTS = [
  old("alone", { status: "active", allocation: 0.3, groups: [{ parameterValues: { bb: 1, a: 2 } }] }),
  old("first", { status: "active", allocation: 60, layerID: "l", ...targeting }),
  old("second", { status: "assignment_stopped", allocation: 60, layerID: "l" }),
  old("claimed", { status: "setup", userBuckets: [1, 2] }),
  old("never started", { status: "archived", startTime: null, decisionTime: null }),
  old("decided", { status: "archived", startTime: 1, decisionTime: 2, ...targeting }),
  old("ended", { status: "archived", startTime: 1, decisionTime: null }),
];

let database: Database;
let texts: Map<string, string>;
let named: string[];
beforeAll(async () => {
  database = await openEmptyDatabase();
  const migrations = readMigrations();
  await migrate(database, migrations.slice(0, 1));
  await database.withSession(async ({ query }) => {
    await query(`insert into project (id, name, "createdTime") values ('p', 'Project', 1)`);
    for (const [createdTime, entity] of EXPERIMENTS.entries()) {
      const { id, status, layerID = null } = entity;
      await query(
        `insert into experiment ("projectID", id, version, "createdTime", status, "layerID", "idType", tags, entity) values ('p', $1, 1, $2, $3, $4, 'userID', '{}', $5)`,
        [id, createdTime, status, layerID, JSON.stringify(entity)],
      );
    }
  });
  await migrate(database, migrations);
  texts = new Map(
    await database.withSession(async ({ query }) =>
      (await query<{ id: string; entity: string }>("select id, entity from experiment")).map(({ id, entity }) => [id, entity] as const),
    ),
  );
  named = await database.withSession(async ({ query }) => {
    const rows = await query<{ line: string }>(`select concat_ws(' ', "fromID", 'names', "toType", "toID") as line from reference`);
    return rows.map(({ line }) => line).sort();
  });
});
afterAll(() => database.close());

const after = (id: string) => JSON.parse(texts.get(id) ?? "");

describe("an experiment that was created before experiments had buckets", () => {
  test("keeps its JSON text, with the new fields appended", () => {
    const text = JSON.stringify(EXPERIMENTS[0]).slice(0, -1);
    expect(texts.get("alone")).toBe(`${text},"userBuckets":[0,1,2],"salt":"alone","statusBeforeArchive":null,"scheduledStartTime":null}`);
  });

  test("shares no bucket of its layer, even if two experiments want more than exist", () => {
    const [first, second] = [after("first").userBuckets, after("second").userBuckets];
    expect([first.length, second.length, new Set([...first, ...second]).size]).toEqual([600, 400, 1000]);
  });

  test("drops buckets that a caller set", () => {
    expect(after("claimed").userBuckets).toEqual([]);
  });

  test("gets its references, unless it is archived", () => {
    const web = ["alone", "claimed", "first", "second"].map((id) => `${id} names target_app web`);
    const names = ["gate gate", "layer l", "segment segment", "tag tag", "unit_id_type companyID"].map((target) => `first names ${target}`);
    expect(named).toEqual([...web, ...names, "second names layer l"].sort());
  });

  test.each([
    ["never started", "setup"],
    ["decided", "decision_made"],
    ["ended", "abandoned"],
  ])("archived %s, has %s as the status to restore", (id, status) => {
    expect(after(id).statusBeforeArchive).toBe(status);
  });
});
