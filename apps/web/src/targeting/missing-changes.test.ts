import { describe, expect, test } from "vitest";
import type { Change } from "./changes.ts";
import { missingChanges, withMissingChanges, withMissingFields } from "./missing-changes.ts";
import { toText } from "./parts.ts";

/** Aug 1, 2026, 12:30 UTC. */
const NOON = 1_785_587_400_000;

const words = (changes: readonly Change[]) => changes.map(({ kind, field, parts }) => `${kind} ${field}: ${toText(parts)}`);

describe("changes without words", () => {
  const described = { entityType: "gate", entityID: "new", title: [], changes: [] };

  test("follow by name, except those that the server sets", () => {
    const fields = [
      { field: "targets", before: null, after: ["web"] },
      { field: "startTime", before: null, after: NOON },
      { field: "rules[0].id", before: "a", after: "b" },
      { field: "checksPerHour", before: 1, after: 2 },
    ];
    expect(words(missingChanges([], fields))).toEqual([
      "changed targets: Targets: none → web",
      "changed startTime: Start time: none → Aug 1, 2026, 12:30 UTC",
    ]);
    expect(missingChanges([{ kind: "added", field: "", parts: [] }], fields)).toEqual([]);
  });

  test("show long values as texts to compare", () => {
    const long = { text: "a".repeat(80) };
    const [change] = missingChanges([], [{ field: "schema", before: {}, after: long }]);
    expect(change?.diff).toEqual({ before: "{}", after: JSON.stringify(long, undefined, 2) });
  });

  test("are found in the dry run, in other entities too, and between two versions", () => {
    const dryRun = [
      { entityType: "gate", entityID: "new", fields: [{ field: "team", before: null, after: "Core" }] },
      { entityType: "holdout", entityID: "h", fields: [{ field: "gateIDs", before: [], after: ["new"] }] },
    ];
    const found = withMissingChanges([described], dryRun).map(({ entityID, changes }) => [entityID, words(changes)]);
    expect(found).toEqual([
      ["new", ["changed team: Team: none → Core"]],
      ["h", ["changed gateIDs: Gate IDs: none → new"]],
    ]);
    const title = [{ kind: "text" as const, text: "Prompt" }];
    const versions = withMissingFields([], { version: 1, tags: [] }, { version: 2, tags: ["a"] }, title);
    expect(versions.map(({ changes }) => words(changes))).toEqual([["changed tags: Tags: none → a"]]);
    expect(withMissingFields([], { version: 1 }, { version: 2 }, title)).toEqual([]);
  });
});
