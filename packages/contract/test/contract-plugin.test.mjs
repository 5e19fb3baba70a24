import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const redocly = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

/** A copy of the contract that tests may change. */
let copy;
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), "gatehouse-contract-"));
  cpSync(join(repository, "redocly.yaml"), join(copy, "redocly.yaml"));
  cpSync(join(repository, "spec"), join(copy, "spec"), { recursive: true });
});
afterEach(() => rmSync(copy, { recursive: true, force: true }));

function edit(file, before, after) {
  const text = readFileSync(join(copy, file), "utf8");
  expect(text).toContain(before);
  writeFileSync(join(copy, file), text.replace(before, after));
}

function run(...commandLine) {
  return execFileSync(process.execPath, [redocly, ...commandLine], { cwd: copy, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** The problems that the linter finds: rule, place and message. */
function problems(api) {
  try {
    run("lint", api, "--format=json");
    return [];
  } catch ({ stdout }) {
    return JSON.parse(stdout).problems.map(({ ruleId, message, location: [{ source, pointer }] }) => [
      ruleId,
      source.ref,
      pointer,
      message,
    ]);
  }
}

test("The linter refuses a path file that repeats what the rules add, and an exception from nothing", () => {
  const file = "spec/console/paths/tags@{id}.yaml";
  edit(file, "  operationId: patchTag\n", '  operationId: patchTag\n  x-without: ["304"]\n');
  edit(file, "  responses:\n", '  responses:\n    "404": { $ref: ../components/responses/NotFound.yaml }\n');
  expect(problems("console")).toEqual([
    ["contract/no-repeated-rules", file, "#/get/responses/404", "The rules of this API add 404 to this operation. Leave it out here."],
    ["contract/no-repeated-rules", file, "#/patch/x-without", "`x-without` names 304, which no rule adds to this operation."],
  ]);
});

test("The linter refuses an example with an envelope written by hand", () => {
  const file = "spec/console/components/examples/tags/TagDeleted.yaml";
  edit(file, "x-answer:", "value:");
  expect(problems("console")).toEqual([
    ["contract/no-written-envelopes", file, "#/value", "State the `message` and the `data` of a success in `x-answer`."],
  ]);
});

test("The linter names an example whose entity does not exist", () => {
  const file = "spec/console/components/examples/tags/TagRead.yaml";
  edit(file, "Tag.yaml", "Tg.yaml");
  expect(problems("console")).toContainEqual(["contract/complete-examples", file, "#/x-answer", "There is no entity at Tg.yaml."]);
});

test("The linter checks operations as they are bundled: what a rule adds must be in order, too", () => {
  edit("spec/console/components/parameters/dryRun.yaml", "in: query", "in: nowhere");
  expect(problems("console")).toContainEqual([
    "struct",
    "spec/console/components/parameters/dryRun.yaml",
    "#/in",
    expect.stringContaining("`in` can be one of the following only"),
  ]);
});

test("A bundled operation has what its path file leaves out", () => {
  run("bundle", "console", "--output", "console.json");
  const { paths } = JSON.parse(readFileSync(join(copy, "console.json"), "utf8"));
  const { delete: removal } = paths["/console/v1/tags/{id}"];
  expect(Object.keys(removal.responses)).toEqual(["200", "400", "401", "403", "404", "409", "412", "422", "500", "503"]);
  expect(removal.parameters).toEqual(
    ["dryRun", "idempotencyKey", "ifMatch", "forceArchive"].map(($ref) => ({ $ref: `#/components/parameters/${$ref}` })),
  );
});
