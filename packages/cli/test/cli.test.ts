import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorkspace, startServer } from "./servers.ts";

let server: Awaited<ReturnType<typeof startServer>>;
let production: Awaited<ReturnType<typeof startServer>>;
const { folder, gatehouse, remove } = createWorkspace();
const read = (name: string) => readFileSync(join(folder, name), "utf8");

beforeAll(async () => {
  // Every test that uses both shows that the URL of a server can have a path.
  [server, production] = await Promise.all([startServer(), startServer("/tools/gatehouse")]);
});
afterAll(() => {
  server?.stop();
  production?.stop();
  remove();
});

describe("login", () => {
  test("stores a key that works in a file that only its owner can read", async () => {
    const { code, stdout } = await gatehouse(["login", "--url", server.url, "--key", server.key]);
    const file = join(folder, "config/gatehouse/profiles.json");
    expect([code, stdout]).toEqual([0, `Logged in to the project default at ${server.url}. The profile default is stored in ${file}.\n`]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const whoami = await gatehouse(["whoami", "--json"]);
    expect(JSON.parse(whoami.stdout)).toMatchObject({
      url: server.url,
      project: { id: "default" },
      key: { hint: `console-…${server.key.slice(-4)}`, role: null, scopes: ["omni_read_write", "can_access_keys"] },
    });
    expect(whoami.stdout).not.toContain(server.key);
    await gatehouse(["login", "--profile", "production"], { GATEHOUSE_URL: production.url, GATEHOUSE_KEY: production.key });
    await gatehouse(["login", "--profile", "default"], { GATEHOUSE_KEY: server.key });
    const profiles = await gatehouse(["profiles", "--json"]);
    expect(JSON.parse(profiles.stdout)).toEqual([
      { name: "default", url: server.url, isCurrent: true },
      { name: "production", url: production.url, isCurrent: false },
    ]);
  });

  test("is undone by logout, which names the deleted profile", async () => {
    await gatehouse(["login", "--profile", "old"], { GATEHOUSE_URL: production.url, GATEHOUSE_KEY: production.key });
    expect(JSON.parse((await gatehouse(["logout", "--profile", "old", "--json"])).stdout)).toEqual({ deleted: "old", deactivated: false });
    expect(JSON.parse(read("config/gatehouse/profiles.json")).profiles).not.toHaveProperty("old");
    await gatehouse(["login", "--profile", "default"], { GATEHOUSE_KEY: server.key });
  });

  test("refuses a wrong key and keeps the stored one", async () => {
    const before = read("config/gatehouse/profiles.json");
    const { code, stderr } = await gatehouse(["login", "--url", server.url, "--key", "console-wrong"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("The key is wrong, expired, or deactivated.")]);
    expect(read("config/gatehouse/profiles.json")).toBe(before);
  });
});

describe("a failure", () => {
  test.each<[string, string[], string]>([
    ["of an unknown command names a similar one", ["gate"], "Did you mean gates?"],
    ["of an unknown operation names similar ones", ["call", "createGates"], "Did you mean createGate?"],
    ["of a missing parameter names it", ["call", "getGate"], "getGate needs --param id=…"],
    ["of the server says what is wrong", ["gates", "get", "nope"], "Error: Gate nope does not exist."],
    ["of a missing file names it", ["plan", "nope.yaml"], "Error: nope.yaml does not exist."],
    [
      "of a missing profile says how to add it",
      ["status", "--profile", "nope"],
      "The profile nope does not exist.\nProfiles: default, production.",
    ],
  ])("%s", async (_, args, message) => {
    const { code, stderr } = await gatehouse(args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  test("to reach the server is named, and as JSON with --json", async () => {
    const { code, stderr } = await gatehouse(["status", "--url", "http://127.0.0.1:1", "--key", "k", "--json"]);
    expect([code, JSON.parse(stderr).error.message]).toEqual([1, expect.stringContaining("The server cannot be reached")]);
  });
});

describe("commands", () => {
  test("call any operation with a body in YAML, and list, change and show gates", async () => {
    const created = await gatehouse(["call", "createGate", "--body", "{ name: New checkout, tags: [checkout] }"]);
    expect(JSON.parse(created.stdout).data).toMatchObject({ id: "new_checkout", version: 1 });
    const dry = await gatehouse(
      ["call", "patchGate", "-p", "id=new_checkout", "-q", "dryRun=true", "-b", "-"],
      {},
      '{"description": "New."}',
    );
    expect(JSON.parse(dry.stdout).changes[0].fields[0]).toMatchObject({ field: "description", after: "New." });
    expect((await gatehouse(["gates", "list"])).stdout).toBe(
      "ID            STATUS       TYPE       TAGS\nnew_checkout  In Progress  TEMPORARY  checkout\n",
    );
    expect((await gatehouse(["gates", "disable", "new_checkout", "--environment", "staging"])).stdout).toBe(
      "✓ new_checkout disabled in staging.\n",
    );
    const shown = await gatehouse(["gates", "get", "new_checkout"]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ disabledEnvironments: ["staging"], version: 2 });
  });

  test("show colors only if asked, and never with NO_COLOR", async () => {
    const colored = (env: Record<string, string>) => gatehouse(["status"], env).then(({ stdout }) => stdout.includes("\u001b["));
    expect(await Promise.all([colored({}), colored({ FORCE_COLOR: "1" }), colored({ FORCE_COLOR: "1", NO_COLOR: "1" })])).toEqual([
      false,
      true,
      false,
    ]);
  });

  test("complete subcommands, options, operations and profiles", async () => {
    const complete = async (...words: string[]) => (await gatehouse(["__complete", "--", ...words])).stdout.trimEnd().split("\n");
    expect(await complete("gates", "l")).toEqual(["launch", "list"]);
    expect(await complete("plan", "--pr")).toEqual(["--profile", "--prune"]);
    expect(await complete("call", "createG")).toEqual(["createGate"]);
    expect(await complete("diff", "--from", "")).toEqual(["default", "production"]);
    expect((await gatehouse(["completions", "bash"])).stdout).toContain("complete -o default -F _gatehouse gatehouse");
  });
});

describe("configuration as code", () => {
  test("exports one file for each entity, the same bytes again, and no file of an entity that is gone", async () => {
    await server.client.createSegment({ body: { name: "Gone", id: "gone", type: "rule_based" } });
    expect((await gatehouse(["export", "--out", "project"])).code).toBe(0);
    expect(readdirSync(join(folder, "project"))).toEqual([
      "environments.yaml",
      "gates",
      "segments",
      "settings.yaml",
      "tags",
      "unitIDTypes",
    ]);
    const text = read("project/gates/new_checkout.yaml");
    expect(text.split("\n").slice(0, 5)).toEqual([
      "id: new_checkout",
      "name: New checkout",
      'description: ""',
      "idType: userID",
      "isEnabled: true",
    ]);
    await server.client.archiveSegment({ path: { id: "gone" } });
    const again = await gatehouse(["export", "--out", "project", "--json"]);
    expect(again.stderr).toBe("Wrote 0 changed files to project, and removed 1.\n");
    expect(JSON.parse(again.stdout)).toEqual({ written: [], removed: [join("project", "segments", "gone.yaml")] });
    expect(read("project/gates/new_checkout.yaml")).toBe(text);
    const single = await gatehouse(["export", "--kinds", "gates", "--format", "json"]);
    expect(Object.keys(JSON.parse(single.stdout))).toEqual(["gates"]);
  });

  test("has the settings in one file, plans their changes, and names the line of a mistake", async () => {
    const text = read("project/settings.yaml");
    const changed = text.replace("timeZone: UTC", "timeZone: Europe/Berlin");
    writeFileSync(join(folder, "project/settings.yaml"), changed);
    const plan = await gatehouse(["plan", "project"]);
    expect([plan.code, plan.stdout]).toEqual([2, expect.stringContaining('    timeZone: "UTC" → "Europe/Berlin"\n')]);
    expect(plan.stdout).toMatch(/^~ settings\/settings\n/);
    writeFileSync(join(folder, "project/settings.yaml"), `${changed}name: Shop\n`);
    expect((await gatehouse(["plan", "project"])).stderr).toMatch(
      /project\/settings\.yaml:\d+ name cannot be in files, because it is the name/,
    );
    writeFileSync(join(folder, "project/settings.yaml"), text);
  });

  test("plans with exit code 2, applies, and then has no changes", async () => {
    expect((await gatehouse(["plan", "project"])).code).toBe(0);
    const text = read("project/gates/new_checkout.yaml").replace('description: ""', "description: One page.");
    writeFileSync(join(folder, "project/gates/new_checkout.yaml"), text);
    writeFileSync(join(folder, "project/segments/staff.yaml"), "id: staff\nname: Staff\ntype: rule_based\n");
    const plan = await gatehouse(["plan", "project"]);
    expect([plan.code, plan.stdout]).toEqual([
      2,
      [
        "+ segments/staff (Staff)",
        "~ gates/new_checkout (New checkout)",
        '    description: "" → "One page."',
        "",
        "2 changes: 1 to create, 1 to update.",
        "",
      ].join("\n"),
    ]);
    const applied = await gatehouse(["apply", "project", "--reason", "Release 4.2."]);
    expect([applied.code, applied.stdout]).toEqual([0, "✓ segments/staff created\n✓ gates/new_checkout updated\nApplied 2 changes.\n"]);
    expect((await gatehouse(["plan", "project"])).stdout).toBe("No changes. The project is equal to the configuration.\n");
  });

  test("names the file and the line of what is refused", async () => {
    writeFileSync(
      join(folder, "wrong.yaml"),
      "gates:\n  - id: wrong\n    name: Wrong\n    rules:\n      - name: All\n        passPercentage: 200\n        conditions: []\n",
    );
    const { code, stderr } = await gatehouse(["apply", "wrong.yaml"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("  wrong.yaml:6 rules[0].passPercentage must be <= 100")]);
    writeFileSync(join(folder, "wrong.yaml"), "gate:\n  - id: wrong\n");
    expect((await gatehouse(["plan", "wrong.yaml"])).stderr).toContain("wrong.yaml: gate is not a kind of configuration.");
  });

  test("compares two servers, promotes an entity, and exits with 3 where a review is needed", async () => {
    await production.client.createTag({ body: { name: "only here" } });
    const selected = ["--from", "default", "--to", "production", "--kinds", "gates", "segments", "tags"];
    const diff = await gatehouse(["diff", ...selected]);
    expect([
      diff.code,
      diff.stdout
        .trimEnd()
        .split("\n")
        .map((line) => line.slice(0, 45)),
    ]).toEqual([
      2,
      [
        "+ gates/new_checkout is only in default",
        "+ segments/staff is only in default",
        "+ tags/checkout is only in default",
        "- tags/only here is only in production",
      ],
    ]);
    const promote = ["promote", "gates/new_checkout", "tags/checkout", "--from", "default", "--to", "production"];
    expect((await gatehouse([...promote, "--dry-run"])).code).toBe(2);
    expect((await gatehouse(promote)).stdout).toBe("✓ tags/checkout created\n✓ gates/new_checkout created\nApplied 2 changes.\n");
    expect((await production.client.getGate({ path: { id: "new_checkout" } })).data).toMatchObject({
      description: "One page.",
      tags: ["checkout"],
    });
    const { environments } = (await production.client.getEnvironments()).data;
    await production.client.updateEnvironments({
      body: { environments: environments.map((one) => ({ ...one, requiresReview: one.isProduction })) },
    });
    await gatehouse(["gates", "enable", "new_checkout", "--environment", "staging"]);
    await server.client.patchGate({
      path: { id: "new_checkout" },
      body: { rules: [{ name: "All", passPercentage: 100, conditions: [] }] },
    });
    const reviewed = await gatehouse(promote);
    expect([reviewed.code, reviewed.stderr]).toEqual([3, expect.stringContaining("Review requested:")]);
    expect((await production.client.getGate({ path: { id: "new_checkout" } })).data.rules).toEqual([]);
  });
});

test("the example repository applies to a project, and then has no changes", async () => {
  const example = fileURLToPath(new URL("../../../examples/configuration-as-code/gatehouse", import.meta.url));
  const applied = await gatehouse(["apply", example, "--prune"]);
  expect([applied.code, applied.stderr]).toEqual([0, ""]);
  expect((await gatehouse(["plan", example, "--prune"])).stdout).toBe("No changes. The project is equal to the configuration.\n");
  const experiment = await gatehouse(["experiments", "get", "button_color"]);
  expect(JSON.parse(experiment.stdout)).toMatchObject({ status: "setup", layerID: "checkout_page", allocation: 50 });
});

test("references finds names of entities in the files that Git knows, and uploads them with links", async () => {
  const repository = join(folder, "shop");
  mkdirSync(repository);
  const git = (...args: string[]) => execFileSync("git", ["-C", repository, ...args], { stdio: "pipe" });
  git("init", "--initial-branch", "main");
  git("remote", "add", "origin", "https://git.example.com/example/shop.git");
  writeFileSync(
    join(repository, "checkout.ts"),
    'const a = 1;\n  if (client.checkGate("new_checkout")) show(`button_color`, "new_checkout_2");\n',
  );
  writeFileSync(join(repository, "ignored.ts"), 'client.checkGate("new_checkout");\n');
  writeFileSync(join(repository, ".gitignore"), "ignored.ts\n");
  const args = [
    "references",
    "shop",
    "--commit",
    "7f0c",
    "--branch",
    "main",
    "--link",
    "https://git.example.com/blob/{commit}/{file}#L{line}",
  ];
  const dry = await gatehouse([...args, "--dry-run"]);
  const text = 'if (client.checkGate("new_checkout")) show(`button_color`, "new_checkout_2");';
  expect(dry.stdout).toBe(
    `checkout.ts:2  new_checkout  ${text}\ncheckout.ts:2  button_color  ${text}\n2 references. Nothing was uploaded.\n`,
  );
  expect((await gatehouse(args)).stdout).toBe("✓ 2 references of example/shop@main were uploaded.\n");
  const { data } = await server.client.listCodeReferences({ query: { type: "gate", id: "new_checkout" } });
  expect(data).toMatchObject([
    { repository: "example/shop", file: "checkout.ts", line: 2, text, url: "https://git.example.com/blob/7f0c/checkout.ts#L2" },
  ]);
});
