import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { askRestored, type Release } from "./answers.ts";

const FOLDER = new URL("./", import.meta.url);
const versions = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe.each(versions)("this version on a database of %s", async (version) => {
  const folder = new URL(`${version}/`, FOLDER);
  const release: Release = JSON.parse(readFileSync(new URL("answers.json", folder), "utf8"));

  test("answers every request as that version did, and finds its audit log intact", async () => {
    const { answers, trail, findings } = await askRestored(folder, release, release.answers);
    const differences = release.answers.flatMap(({ method, path, answer }, index) =>
      contains(answers[index], answer) ? [] : [{ request: `${method} ${path}`, was: answer, is: answers[index] }],
    );
    expect(differences).toEqual([]);
    expect(findings).toEqual([]);
    expect(trail).toEqual(release.trail);
  });
});

/** Whether a value has everything that an earlier one had. Objects may have more properties. */
function contains(value: unknown, expected: unknown): boolean {
  if (Array.isArray(expected))
    return Array.isArray(value) && value.length === expected.length && expected.every((item, index) => contains(value[index], item));
  if (typeof expected !== "object" || expected === null) return Object.is(value, expected);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(expected).every(([name, item]) => contains((value as Record<string, unknown>)[name], item));
}
