import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const repository = fileURLToPath(new URL("../../..", import.meta.url));
const redocly = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

const PATHS = "spec/console/paths/tags@{id}.yaml";
const GROUPS = "spec/console/paths/experiments@{id}@enable_groups.yaml";
const LAUNCH = "spec/console/paths/gates@{id}@launch.yaml";
const EXAMPLES = "spec/console/components/examples/tags";
const PARAMETER = "spec/console/components/parameters/dryRun.yaml";

/** What is wrong with a copy of the contract: before, after. */
const MISTAKES = [
  [PATHS, "  operationId: patchTag\n", '  operationId: patchTag\n  x-without: ["304"]\n'],
  [GROUPS, "  x-permission: edit_or_delete_configs\n", ""],
  [LAUNCH, "x-permission: launch_or_disable_configs", "x-permission: fly"],
  [PATHS, "  responses:\n", '  responses:\n    "404": { $ref: ../components/responses/NotFound.yaml }\n'],
  [`${EXAMPLES}/TagDeleted.yaml`, "x-answer:", "value:"],
  [`${EXAMPLES}/TagUpdated.yaml`, "Tag.yaml", "Tg.yaml"],
  [PARAMETER, "in: query", "in: nowhere"],
];

let copy;
let problems;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "gatehouse-contract-"));
  for (const file of ["redocly.yaml", ".redocly.lint-ignore.yaml"]) cpSync(join(repository, file), join(copy, file));
  cpSync(join(repository, "spec"), join(copy, "spec"), { recursive: true });
  for (const [file, before, after] of MISTAKES) {
    const text = readFileSync(join(copy, file), "utf8");
    expect(text).toContain(before);
    writeFileSync(join(copy, file), text.replace(before, after));
  }
  problems = lint();
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** The problems that the linter finds: rule, file, place and message. */
function lint() {
  const commandLine = [redocly, "lint", "console", "--format=json"];
  const { stdout } = spawnSync(process.execPath, commandLine, { cwd: copy, env, encoding: "utf8", maxBuffer: 2 ** 26 });
  return JSON.parse(stdout).problems.map(({ ruleId, message, location: [{ source, pointer }] }) => [ruleId, source.ref, pointer, message]);
}

const found = (file) => problems.filter(([, ref]) => ref === file);

test("The linter refuses a path file that repeats what the rules add, and an exception from nothing", () => {
  const rule = "contract/no-repeated-rules";
  expect(found(PATHS)).toEqual([
    [rule, PATHS, "#/get/responses/404", "The rules of this API add 404 to this operation. Leave it out here."],
    [rule, PATHS, "#/patch/x-without", "`x-without` names 304, which no rule adds to this operation."],
  ]);
});

test("The linter refuses an operation that states no permission, and one that does not exist", () => {
  const rule = "contract/known-permission";
  expect(found(GROUPS)).toEqual([[rule, GROUPS, "#/post", "State the permission that the operation needs in `x-permission`."]]);
  expect(found(LAUNCH)).toEqual([
    [
      rule,
      LAUNCH,
      "#/put/x-permission",
      "There is no permission fly: Permissions.yaml has those that there are, beside none, session, administrator, contained.",
    ],
  ]);
});

test("The linter refuses an example with an envelope written by hand", () => {
  const file = `${EXAMPLES}/TagDeleted.yaml`;
  expect(found(file)).toEqual([
    ["contract/no-written-envelopes", file, "#/value", "State the `message` and the `data` of a success in `x-answer`."],
  ]);
});

test("The linter names an example whose entity does not exist", () => {
  const file = `${EXAMPLES}/TagUpdated.yaml`;
  expect(found(file)).toContainEqual(["contract/complete-examples", file, "#/x-answer", "There is no entity at Tg.yaml."]);
});

test("The linter checks operations as they are bundled: what a rule adds must be in order, too", () => {
  expect(found(PARAMETER)).toEqual([["struct", PARAMETER, "#/in", expect.stringContaining("`in` can be one of the following only")]]);
});

test("The linter finds nothing else: what rules and examples leave to the bundling is not missing", () => {
  const files = MISTAKES.map(([file]) => file);
  expect(problems.filter(([, file]) => !files.includes(file))).toEqual([]);
});

test("A bundled operation has what its path file leaves out", () => {
  const { paths } = JSON.parse(readFileSync(join(repository, "packages/contract/generated/console.json"), "utf8"));
  const { delete: removal } = paths["/console/v1/tags/{id}"];
  expect(Object.keys(removal.responses)).toEqual(["200", "400", "401", "403", "404", "409", "412", "422", "429", "500", "503"]);
  expect(removal.parameters).toEqual(
    ["project", "dryRun", "impact", "idempotencyKey", "ifMatch", "forceArchive"].map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
  );
});
