import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createLog } from "../../src/common/log.ts";
import { kinds } from "../../src/console/kinds.ts";
import { turnReviewsOff } from "../../src/jobs/turn-reviews-off.ts";
import type { Database } from "../../src/store/database/database.ts";
import { name } from "../../src/store/database/row.ts";
import { deriveAgain } from "../../src/store/entities/derive-again.ts";
import { DERIVATION } from "../../src/store/entities/derived-columns.ts";
import { type Answer, askRestored, type Release } from "./answers.ts";
import { openRestored } from "./dump.ts";

const FOLDER = new URL("./", import.meta.url);
const versions = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

type Role = { id: string; permissions: object };

/** The answers that an upgrade changes on purpose, as they are afterwards. */
const CHANGED: Record<string, (before: Answer) => Answer> = {
  "GET /console/v1/roles"({ status, body }) {
    const { data, ...rest } = body as { data: Role[] };
    const added = { approve_reviews: true, approve_required_review_release_pipeline_phase: true, create_or_edit_dashboards: true };
    const withAdded = (role: Role) => ({ ...role, permissions: { ...role.permissions, ...added } });
    return { status, body: { ...rest, data: data.map((role) => (role.id === "Member" ? withAdded(role) : role)) } };
  },
  "GET /v1/download_config_specs/{sdkKey}.json": withoutChecksum,
  "GET /v2/download_config_specs/{sdkKey}.json": withoutChecksum,
};

/** The checksum of a ruleset is made of more of a prompt than before, so SDKs download the same ruleset once more. */
function withoutChecksum({ status, body }: Answer): Answer {
  const { checksum: _, ...rest } = body as { checksum: string };
  return { status, body: rest };
}

describe.each(versions)("this version on a database of %s", async (version) => {
  const folder = new URL(`${version}/`, FOLDER);
  const release: Release = JSON.parse(readFileSync(new URL("answers.json", folder), "utf8"));

  test("answers every request as that version did, and finds its audit log intact", async () => {
    const { answers, trail, findings } = await askRestored(folder, release, release.answers);
    const differences = release.answers.flatMap(({ method, path, answer }, index) => {
      const request = `${method} ${path}`;
      const expected = CHANGED[request.replace(/secret-\w+/, "{sdkKey}")]?.(answer) ?? answer;
      return contains(answers[index], expected) ? [] : [{ request, was: expected, is: answers[index] }];
    });
    expect(differences).toEqual([]);
    expect(findings).toEqual([]);
    expect(trail).toEqual(release.trail);
  });

  test("turns off the flags for reviews that had no effect, once, in a change that the log shows", async () => {
    const database = await openRestored(folder, release.migrations);
    try {
      const env = { database, log: createLog("silent", { write() {} }), now: () => release.now };
      for (let run = 0; run < 2; run++) await turnReviewsOff.run(env);
      const rows = await database.db.$queryRaw<{ projectID: string; entity: string; changes: number }[]>`
        select "projectID", "entity", (
          select count(*)::int from change where change."projectID" = environment_set."projectID" and "operationID" = 'turnReviewsOff'
        ) as changes from environment_set`;
      expect(rows.map(({ changes }) => changes)).toContain(1);
      expect(rows.filter(({ entity }) => entity.includes('"requiresReview":true'))).toEqual([]);
    } finally {
      await database.close();
    }
  });

  // Otherwise that version's data would not be derived again.
  test("derives from each entity what that version derived, or has a higher DERIVATION", async () => {
    const database = await openRestored(folder, release.migrations);
    try {
      const before = await readDerived(database);
      const earlier = before.filter(({ row }) => row.derivation < DERIVATION);
      for (const { table } of kinds) await database.db.$executeRaw`update ${name(table)} set "derivation" = -1`;
      for (const kind of kinds) await deriveAgain(database, kind);
      if (earlier.length === 0) expect(await readDerived(database)).toEqual(before);
      else expect((await readDerived(database)).filter(({ row }) => row.derivation !== DERIVATION)).toEqual([]);
    } finally {
      await database.close();
    }
  });
});

type Derived = { table: string; row: Record<string, unknown> & { derivation: number } };

/** Every row of an entity, and every reference. */
async function readDerived({ db }: Database): Promise<Derived[]> {
  const tables = [...new Set(kinds.map(({ table }) => table))];
  const rows = await Promise.all(
    tables.map((table) => db.$queryRaw<Derived[]>`select ${table} as table, to_json(stored) as row from ${name(table)} as stored order by stored::text`),
  );
  const references = await db.$queryRaw<Derived[]>`
    select 'reference' as table, to_jsonb(stored) || jsonb_build_object('derivation', ${DERIVATION}::int) as row from reference as stored order by stored::text`;
  return [...rows.flat(), ...references];
}

/** Whether a value has everything that an earlier one had. Objects may have more properties. */
function contains(value: unknown, expected: unknown): boolean {
  if (Array.isArray(expected))
    return Array.isArray(value) && value.length === expected.length && expected.every((item, index) => contains(value[index], item));
  if (typeof expected !== "object" || expected === null) return Object.is(value, expected);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(expected).every(([name, item]) => contains((value as Record<string, unknown>)[name], item));
}
