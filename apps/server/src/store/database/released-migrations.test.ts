import { describe, expect, test } from "vitest";
import { compareWithReleased, hashMigrations } from "../../../scripts/released-migrations.mjs";

const released = { "0001_baseline": "a", "0003_teams": "b" };

describe("compareWithReleased", () => {
  test("accepts released migrations as they were, and new ones after them", () => {
    expect(compareWithReleased(released, { ...released, "0004_next": "c" })).toEqual([]);
  });

  test("names each released migration that was changed or is missing, and each new one that comes too early", () => {
    expect(compareWithReleased(released, { "0001_baseline": "edited", "0002_late": "c" })).toEqual([
      "The released migration 0001_baseline was changed. Restore it, and add another one.",
      "The released migration 0003_teams is missing.",
      "The migration 0002_late comes before 0003_teams, which is released. Give it a later name.",
    ]);
  });
});

test("hashMigrations finds every migration of this server", () => {
  expect(hashMigrations(new URL("../../../prisma/migrations/", import.meta.url).pathname)).toMatchObject({
    "0001_baseline": expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});
