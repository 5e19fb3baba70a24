import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
const EXAMPLES = "spec/console/components/examples/gates";
const SEGMENT_EXAMPLE = "spec/console/components/examples/segments/SegmentIDListReset.yaml";
const LIST = "spec/console/paths/tags.yaml";
const ROLES = "spec/console/paths/roles.yaml";
const KEYS = "spec/console/paths/keys@{id}@deactivate.yaml";
const INDEX = "spec/console/openapi.yaml";
const LAYER = "spec/console/paths/layers@{id}.yaml";
const METRIC = "spec/console/paths/metrics@{id}.yaml";
const PROMPT = "spec/console/entities/prompt.yaml";
const TEAM = "spec/console/entities/team.yaml";
const PIPELINES = "spec/console/paths/release_pipelines.yaml";
const PIPELINE = "spec/console/entities/release_pipeline.yaml";
const TARGET_APP = "spec/console/entities/target_app.yaml";
const COMPANY = "spec/console/paths/company.yaml";
const UNLISTED = "paths/labels.yaml";
const PARAMETER = "spec/console/components/parameters/dryRun.yaml";

/** Mistakes in a copy of the contract: before, after. */
const MISTAKES = [
  [PATHS, "  operationId: patchTag\n", '  operationId: patchTag\n  x-without: ["304"]\n'],
  [GROUPS, "  x-permission: edit_or_delete_configs\n", ""],
  [LAUNCH, "x-permission: launch_or_disable_configs", "x-permission: fly"],
  [PATHS, "operationId: getTag\n", 'operationId: getTag\n  responses:\n    "404": { $ref: ../components/responses/NotFound.yaml }\n'],
  [SEGMENT_EXAMPLE, "x-answer:", "value:"],
  [`${EXAMPLES}/GateRulesAdded.yaml`, "Gate.yaml", "Gat.yaml"],
  [LIST, "  operationId: listTags\n", "  operationId: listTags\n  tags: [Tags]\n  summary: List tags\n"],
  [LIST, "listOrder.yaml\n", "listOrder.yaml\n    - $ref: ../components/parameters/page.yaml\n"],
  [LIST, "  x-status: 200\n", "  x-status: 201\n"],
  [ROLES, "  x-entity: role\n  operationId: listRoles", "  tags: [Roles]\n  operationId: listRoles"],
  [KEYS, "x-entity: key", "x-entity: kay"],
  [LAYER, "  restore:\n    x-permission: edit_or_delete_configs\n", "  restore:\n    summary: Restore\n"],
  [METRIC, "  x-entity: metric\n  list:", "  x-entity: metrik\n  list:"],
  [PROMPT, "examples:\n", "examples:\n  archived: { summary: Shown nowhere }\n"],
  [PROMPT, "read: { summary", "read: { message: Prompt read successfully., summary"],
  [TEAM, "example:", "exampel:"],
  [PIPELINES, "x-entity: release_pipeline", "x-entity: pipeline"],
  [PIPELINE, "description: The phases in which changes of gates and dynamic configs reach all users.\n", ""],
  [INDEX, "  - name: Account\n", "  - name: Target apps\n    description: Applications.\n  - name: Account\n"],
  [COMPANY, "tags: [Project]", "tags: [Company]"],
  [COMPANY, "operationId: getCompany", "operationId: seeCompany"],
  ["redocly.yaml", ", qualifying_events]", "]"],
  [PARAMETER, "in: query", "in: nowhere"],
];

let copy;
let problems;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "gatehouse-contract-"));
  cpSync(join(repository, "redocly.yaml"), join(copy, "redocly.yaml"));
  cpSync(join(repository, "spec"), join(copy, "spec"), { recursive: true });
  for (const [file, before, after] of MISTAKES) {
    const text = readFileSync(join(copy, file), "utf8");
    expect(text).toContain(before);
    writeFileSync(join(copy, file), text.replace(before, after));
  }
  copyFileSync(join(copy, LIST), join(copy, "spec/console", UNLISTED));
  problems = lint();
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** The problems that the linter finds: rule, file, place and message. */
function lint() {
  const commandLine = [redocly, "lint", "console", "--format=json", "--max-problems=1000"];
  const { stdout, stderr } = spawnSync(process.execPath, commandLine, { cwd: copy, env, encoding: "utf8", maxBuffer: 2 ** 26 });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout).problems.map(({ ruleId, message, location: [{ source, pointer }] }) => [ruleId, source.ref, pointer, message]);
}

const found = (file) => problems.filter(([, ref]) => ref === file);

test("The linter refuses a path file that repeats what the rules add, and an exception from nothing", () => {
  const rule = "contract/derivation";
  expect(found(PATHS)).toEqual([
    [rule, PATHS, "#/get/responses/404", "The rules of this API add 404 to this operation. Leave it out here."],
    [rule, PATHS, "#/patch/x-without", "`x-without` names 304, which no rule adds to this operation."],
  ]);
});

test("The linter refuses a path file that repeats what follows from an entity and the kind of operation", () => {
  const repeats = (place, what) => ["contract/derivation", LIST, place, `\`x-entity\` adds ${what} to this operation. Leave it out here.`];
  expect(found(LIST)).toEqual([
    repeats("#/get/tags", "`tags`"),
    repeats("#/get/summary", "`summary`"),
    repeats("#/get/parameters/3", "page"),
    repeats("#/post/x-status", "`x-status`"),
  ]);
});

test("The linter refuses an operation that is named like those on an entity but does not state the entity", () => {
  const message = "State `x-entity: role`, from which the kind of this operation follows.";
  expect(found(ROLES)).toContainEqual(["contract/derivation", ROLES, "#/get/operationId", message]);
});

test("The linter refuses an entity that `x-entities` does not list", () => {
  const unknown = (name) => `Unknown entity ${name}: \`x-entities\` in openapi.yaml lists all entities.`;
  expect(found(KEYS)).toContainEqual(["contract/derivation", KEYS, "#/patch/x-entity", unknown("kay")]);
  expect(found(METRIC)).toEqual([["contract/derivation", METRIC, "#/x-versions", unknown("metrik")]]);
});

test("The linter names an unknown entity even where all responses follow from the entity", () => {
  const message = "Unknown entity pipeline: `x-entities` in openapi.yaml lists all entities.";
  expect(found(PIPELINES)).toContainEqual(["contract/derivation", PIPELINES, "#/get/x-entity", message]);
});

test("The linter refuses a tag that has no description, has two, or does not exist", () => {
  expect(found(PIPELINE)).toEqual([["contract/derivation", PIPELINE, "#/", "State the `description` of the tag Release pipelines."]]);
  const twice = "The tag Target apps has another description. Leave out one of them.";
  expect(found(TARGET_APP)).toEqual([["contract/derivation", TARGET_APP, "#/description", twice]]);
  expect(found(COMPANY)).toContainEqual([
    "operation-tag-defined",
    COMPANY,
    "#/get/tags/0",
    "Operation tags should be defined in global tags.",
  ]);
});

test("The linter names the place of the list of verbs", () => {
  const message = expect.stringContaining("An operationId is a verb of the list in redocly.yaml");
  expect(found(COMPANY)).toContainEqual(["rule/operationId-verb-noun", COMPANY, "#/get/operationId", message]);
});

test("The linter refuses `x-versions` that states something else than its two operations need, or no permission to restore", () => {
  expect(found(LAYER)).toEqual([
    [
      "contract/derivation",
      LAYER,
      "#/x-versions",
      "`restore` has no field summary, only x-permission, x-unscheduled, x-uncalled, description.",
    ],
    ["contract/known-permission", LAYER, "#/restore/post", "State the permission that the operation needs in `x-permission`."],
  ]);
});

test("The linter refuses an entity that repeats a message, has an example that no operation shows, or lacks its example", () => {
  expect(found(PROMPT)).toEqual([
    ["contract/derivation", PROMPT, "#/examples/archived", "No operation shows this example."],
    ["contract/derivation", PROMPT, "#/examples/read/message", "Every read example has this message. Leave it out here."],
  ]);
  expect(found(TEAM)).toContainEqual(["struct", TEAM, "#/", "The field `example` must be present on this level."]);
});

test("The linter refuses a file that the index does not list", () => {
  const messages = found(INDEX).flatMap(([rule, , , message]) => (rule === "contract/no-unlisted-files" ? [message] : []));
  expect(messages).toEqual(["components/examples/teams/Team.yaml", UNLISTED].map((file) => `No file refers to ${file}.`));
});

test("The linter refuses two paths that one URL can match, unless the segment that tells them apart is never an id", () => {
  const message = "A URL can match both this path and /console/v1/experiments/qualifying_events/{name}.";
  expect(found(INDEX)).toContainEqual(["contract/no-ambiguous-paths", INDEX, "#/paths/~1console~1v1~1experiments~1{id}~1abandon", message]);
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
  const file = SEGMENT_EXAMPLE;
  expect(found(file)).toEqual([
    ["contract/no-written-envelopes", file, "#/value", "State the `message` and the `data` of a success in `x-answer`."],
  ]);
});

test("The linter names an example whose entity does not exist", () => {
  const file = `${EXAMPLES}/GateRulesAdded.yaml`;
  expect(found(file)).toContainEqual(["contract/complete-examples", file, "#/x-answer", "There is no entity at Gat.yaml."]);
});

test("The linter checks operations as they are bundled: what a rule adds must be in order, too", () => {
  expect(found(PARAMETER)).toEqual([["struct", PARAMETER, "#/in", expect.stringContaining("`in` can be one of the following only")]]);
});

test("The linter finds nothing else: what rules and examples leave to the bundling is not missing", () => {
  const files = [...MISTAKES.map(([file]) => file), INDEX, TARGET_APP, PIPELINES.replace(".", "@{id}.")];
  expect(problems.filter(([, file]) => !files.includes(file))).toEqual([]);
});

test("A bundled operation has what its path file leaves out", () => {
  const { paths } = JSON.parse(readFileSync(join(repository, "packages/contract/generated/console.json"), "utf8"));
  const { delete: removal } = paths["/console/v1/tags/{id}"];
  expect(Object.keys(removal.responses)).toEqual(["200", "202", "400", "401", "403", "404", "409", "412", "422", "429", "500", "503"]);
  expect(removal.parameters).toEqual(
    [
      "project",
      "dryRun",
      "impact",
      "reason",
      "idempotencyKey",
      "applyAt",
      "bypassReview",
      "requestReview",
      "reviewers",
      "ifMatch",
      "forceArchive",
    ].map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
  );
});
