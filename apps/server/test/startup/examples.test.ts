import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pulseLoads } from "../../src/jobs/pulse-loads.ts";
import { needs } from "../support/needs.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { startShopWarehouse } from "../support/shop-warehouse.ts";
import { TEST_ADMINISTRATOR } from "../support/template-database.ts";
import { waitFor } from "../support/wait-for.ts";

const examples = fileURLToPath(new URL("../../../../examples", import.meta.url));

const ADMINISTRATOR = { GATEHOUSE_ADMIN_EMAIL: TEST_ADMINISTRATOR.email, GATEHOUSE_ADMIN_PASSWORD: TEST_ADMINISTRATOR.password };

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ now: Date.now });
});
afterAll(() => server.close());

/** Runs a program of examples/ against the server. @returns its output */
const run = (program: string, ...args: string[]) => runWith({}, program, ...args);

async function runWith(env: Record<string, string>, program: string, ...args: string[]): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(process.execPath, ["node_modules/tsx/dist/cli.mjs", program, ...args], {
    cwd: examples,
    env: { ...process.env, GATEHOUSE_URL: server.url, GATEHOUSE_CONSOLE_KEY: server.key, ...ADMINISTRATOR, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, lines: text.trimEnd().split("\n") };
}

test("first-release.ts completes a release, and can run twice on one server", async () => {
  const expected = (suffix: string, gates: string) => [
    "1. Where we release",
    "   environments: development, staging, production, canary",
    "2. Who releases, and for whom",
    `   team Checkout ${suffix}, segment beta_users_${suffix}`,
    "3. The gate, closed at first",
    `   new_checkout_${suffix}: In Progress, 0 rules, version 1`,
    "4. Open it, rule by rule",
    "   Staff 100%, Beta 100%, Named 100%, Recent apps 50%, Chrome on Windows in the canary 25%, Loyal 10%, Company 5%",
    "5. What the new checkout needs to know",
    `   checkout_settings_${suffix} refers to new_checkout_${suffix}`,
    "   refused: defaultValue.steps must be integer (schema)",
    "6. A layer for what we test next",
    `   1 conditional override, 1 id override on checkout_tests_${suffix}`,
    "7. The application reports what happens",
    "   3 events, the last by user-3",
    "8. Out of use, and back",
    "   Archived, then In Progress with 7 rules, version 4",
    `Done: ${gates} of the checkout on ${server.url}`,
  ];
  expect(await run("first-release.ts", "one")).toEqual({ code: 0, lines: expected("one", "1 gate") });
  expect(await run("first-release.ts", "two")).toEqual({ code: 0, lines: expected("two", "2 gates") });
});

test("company.ts sets up two projects, three people with different roles, a team and keys, and can run twice on one server", async () => {
  const expected = (suffix: string) => [
    "1. The administrator signs in",
    "   ada@example.com",
    "2. Two projects, each with its first key",
    `   Web shop ${suffix}: a key that begins with console-`,
    `   Mobile app ${suffix}: a key that begins with console-`,
    "3. A team, and three people with different roles",
    "   ada@example.com: Admin",
    `   ann.${suffix}@example.com: Viewer`,
    `   dan.${suffix}@example.com: Member`,
    `   lea.${suffix}@example.com: Admin`,
    `   team Checkout: dan.${suffix}@example.com`,
    "4. They redeem their invitations",
    "   0 invitations are left",
    "5. Each does what their role permits",
    "   Lea makes a key that begins with secret-",
    "   Dan creates new_checkout, which says so: Dan Roe",
    "   Ann reads new_checkout, and may not change it: 403",
    "6. The other project is another world",
    "   Dan there: 403",
    `   Dan's projects now: Mobile app ${suffix}, Web shop ${suffix}`,
    "   Dan cannot make himself an Admin: 403",
  ];
  expect(await run("company.ts", "one")).toEqual({ code: 0, lines: expected("one") });
  expect(await run("company.ts", "two")).toEqual({ code: 0, lines: expected("two") });
});

test("careful-change.ts explains a user, tells the impact of a change, and applies it in a batch, and can run twice on one server", async () => {
  const expected = (suffix: string) => [
    "1. A gate that applications use",
    `   5 users were checked for export_to_pdf_${suffix}`,
    "2. Find it by a part of its name",
    `   export_to_pdf_${suffix}`,
    "3. Why does user-4 not get it?",
    "   false: rule pro compared plan team",
    "4. Whom would the change affect?",
    "   production: 2 of 5 users",
    `   export_menu_${suffix}: false to true for 2`,
    `   export_to_pdf_${suffix}: false to true for 2`,
    "5. Change both gates, or none, and only as they were read",
    `   export_to_pdf_${suffix} version 2, export_menu_${suffix} version 2`,
    "6. Somebody who read it earlier is refused, and nothing of theirs is stored",
    "   412: request 0",
    `   export_menu_${suffix} is still version 2`,
  ];
  expect(await run("careful-change.ts", "one")).toEqual({ code: 0, lines: expected("one") });
  expect(await run("careful-change.ts", "two")).toEqual({ code: 0, lines: expected("two") });
});

test("experiment.ts shares a layer between experiments, and can run twice on one server", async () => {
  const expected = (run: string) => {
    const show = (button: string, shipping: string, both: string, free: number) => {
      const experiments = Object.entries({ Button: button, Shipping: shipping, Both: both });
      const held = experiments.filter(([, text]) => text !== "").map(([name, text]) => `${name} ${run} ${text}`);
      return `   buckets: ${held.join(", ")}; free ${free}, held twice 0`;
    };
    return [
      "1. A layer: what the checkout's experiments share",
      `   checkout_page_${run}: button_color blue, free_shipping_from 50`,
      "2. Two experiments on it",
      show("0 (setup)", "0 (setup)", "", 1000),
      "3. Both start",
      show("600 (active)", "300 (active)", "", 100),
      "4. A third wants more than is left",
      `   refused: startExperiment: 409 Layer checkout_page_${run} has 100 of its 1000 buckets free, but experiment both_${run} needs 500. The others are held by button_${run} (600), shipping_${run} (300).`,
      "5. Green wins: everyone gets it, and its buckets are free",
      expect.stringContaining("   would change the experiment: "),
      "   would change the layer: parameters[0].defaultValue",
      `   checkout_page_${run}: button_color green, free_shipping_from 50`,
      show("0 (decision_made)", "300 (active)", "0 (setup)", 700),
      "6. The third starts, and the second grows without moving anyone",
      "   of its 300 buckets it keeps 300",
      show("0 (decision_made)", "450 (active)", "500 (active)", 50),
    ];
  };
  expect(await run("experiment.ts", "one")).toEqual({ code: 0, lines: expected("one") });
  expect(await run("experiment.ts", "two")).toEqual({ code: 0, lines: expected("two") });
});

test("traffic.ts sends shoppers through an experiment, and the server counts them in their groups", async () => {
  const { client } = server;
  const { data: key } = await client.createKey({ body: { type: "SERVER", description: "a shop" } });
  const groups = [
    { id: "blue", name: "Control", size: 50 },
    { id: "green", name: "Green", size: 50, parameterValues: { color: "green" } },
  ];
  const { data: experiment } = await client.createExperiment({
    body: { name: "Button of the traffic", allocation: 60, status: "active", hypothesis: "Green sells.", groups },
  });
  const { code, lines } = await runWith({ GATEHOUSE_KEY: key.key ?? "" }, "traffic.ts", experiment.id, "200");
  const counts = Object.fromEntries(
    lines.map((line) => {
      const [, name = "", shoppers = "", purchases = ""] = /^(.*): (\d+) shoppers, (\d+) purchases$/.exec(line) ?? [];
      return [name, { shoppers: Number(shoppers), purchases: Number(purchases) }];
    }),
  );
  expect(code).toBe(0);
  expect(Object.keys(counts)).toEqual(["Control", "Green", "not in it"]);
  expect(Object.values(counts).reduce((sum, { shoppers }) => sum + shoppers, 0)).toBe(200);
  await waitFor(async () => {
    const { data } = await client.getExperimentCumulativeExposures({ path: { id: experiment.id } });
    const latest = Object.fromEntries(data.map(({ groupID, results }) => [groupID, results.at(-1)?.exposures]));
    expect(latest).toEqual({ blue: counts.Control?.shoppers, green: counts.Green?.shoppers });
    const { data: events } = await client.listEvents({ query: { search: "purchase" } });
    expect(events[0]?.count).toBe(Object.values(counts).reduce((sum, { purchases }) => sum + purchases, 0));
  });
});

test("shop.ts finds an effect where one is known, and only there", { timeout: 900_000 }, async () => {
  const env = { database: server.database, log: pino({ level: "silent" }), now: Date.now };
  let isOver = false;
  const ended = run("shop.ts", "4000", "test").finally(() => {
    isOver = true;
  });
  await waitFor(async () => {
    await pulseLoads.run(env);
    expect(isOver).toBe(true);
  });
  const { code, lines } = await ended;
  expect(code).toBe(0);
  const found = /^ {5}(Revenue|Buyers): true lift (30|0)\.0%, found \S+% \(\S+ to \S+\), p = \S+, .*significant, variance reduced by \d+%$/;
  const count = (pattern: RegExp) => lines.filter((line) => pattern.test(line)).length;
  expect(count(found), lines.join("\n")).toBe(4);
  expect(count(/^ {7}detects \S+% with 80% power; the planned \S+%: ./), lines.join("\n")).toBe(4);
  expect(count(/^ {5}Scorecard: (ship|dontShip|keepRunning)$/), lines.join("\n")).toBe(2);

  const { data: experiments } = await server.client.listExperiments({ query: { limit: 100 } });
  /** Wrong once in a million runs. */
  const readResults = async (name: string) => {
    const id = experiments.find((experiment) => experiment.name === `${name} test`)?.id ?? "";
    const query = { control: "control", test: "test", confidence: 99.9999 };
    const { data } = await server.client.getExperimentPulseResults({ path: { id }, query });
    const { data: experiment } = await server.client.getExperiment({ path: { id } });
    return { metrics: data.primaryMetrics, balance: experiment.healthChecks.find(({ type }) => type === "has_balanced_exposures") };
  };
  for (const [name, lift] of [
    ["Better button", 30],
    ["Same button twice", 0],
  ] as const) {
    const { metrics, balance } = await readResults(name);
    expect(metrics).toHaveLength(2);
    for (const { percentInterval = [], controlUnits = 0, testUnits = 0, cuped } of metrics) {
      expect(percentInterval[0]).toBeLessThan(lift);
      expect(percentInterval[1]).toBeGreaterThan(lift);
      expect(controlUnits + testUnits).toBe(4_000);
      expect(cuped?.isUsed).toBe(true);
    }
    expect(balance?.metadata?.pValue).toBeGreaterThan(1e-6);
    const buyers = metrics.find(({ metricName }) => metricName === "Buyers test");
    if (lift > 0) expect(buyers?.pValue).toBeLessThan(0.05);
    else expect(buyers?.pValue).toBeGreaterThan(1e-6);
  }
});

/** Starts a program of examples/ that runs until it is stopped. */
function startProgram(program: string, key: string, ...args: string[]) {
  const child = spawn(process.execPath, ["node_modules/tsx/dist/cli.mjs", program, ...args], {
    cwd: examples,
    env: { ...process.env, GATEHOUSE_URL: server.url, GATEHOUSE_KEY: key },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk) => {
    text += chunk;
  });
  return {
    lines: () => text.trimEnd().split("\n"),
    stop: () => new Promise((resolve) => child.once("close", resolve) && child.kill()),
  };
}

describe("a program that reads a flag reports when it flips", () => {
  const conditions = [{ type: "custom_field" as const, field: "plan", operator: "any" as const, targetValue: ["pro"] }];

  test.each([
    ["read-flags-openfeature.ts", "(TARGETING_MATCH, Pro)", "(DISABLED, disabled)"],
    ["read-flags-sdk.ts", "(rule pro_rule)", "(rule disabled)"],
  ])("%s", async (file, open, closed) => {
    const { data: key } = await server.client.createKey({ body: { type: "SERVER", description: "an application" } });
    const { data: gate } = await server.client.createGate({
      body: { name: `gate of ${file.replace(".ts", "")}`, rules: [{ id: "pro_rule", name: "Pro", passPercentage: 100, conditions }] },
    });
    const program = startProgram(file, key.key ?? "", gate.id, "bob");
    await waitFor(async () => expect(await program.lines()).toEqual([`${gate.id} is true for bob ${open}`]));
    await server.client.disableGate({ path: { id: gate.id } });
    await waitFor(async () =>
      expect(await program.lines()).toEqual([`${gate.id} is true for bob ${open}`, `${gate.id} is false for bob ${closed}`]),
    );
    await program.stop();
  });
});

test("shop.ts finds the same effect from its orders in a warehouse", { timeout: 900_000, ...needs.postgresBinaries }, async () => {
  const shop = await startShopWarehouse();
  try {
    const env = { database: server.database, log: pino({ level: "silent" }), now: Date.now };
    let isOver = false;
    const settings = { GATEHOUSE_CONSOLE_KEY: server.key, SHOP_DATABASE_URL: shop.superUrl, SHOP_READER_URL: shop.url };
    const ended = runWith(settings, "shop.ts", "400", "orders").finally(() => {
      isOver = true;
    });
    await waitFor(async () => {
      await pulseLoads.run(env);
      expect(isOver).toBe(true);
    });
    const { code, lines } = await ended;
    expect(code).toBe(0);
    const effects = (name: string) => lines.flatMap((line) => (line.startsWith(`     ${name}: `) ? [line.slice(line.indexOf(": "))] : []));
    expect(effects("Revenue")).toHaveLength(2);
    expect(effects("Revenue of orders")).toEqual(effects("Revenue"));
  } finally {
    await shop.close();
  }
});
