import type { ConsoleClient } from "@gatehouse/client";
import type { Page } from "@playwright/test";
import { newGate, openGate, review, rule } from "./support/gates.ts";
import { newProject, unique } from "./support/people.ts";
import { apiOf, evaluationApi } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const NARROW = { width: 390, height: 800 };
const MARKUP = '<img src="/stolen" onerror="alert(1)"><script>alert(2)</script>';
/** Overrides the direction of what follows, and never ends. */
const REVERSED = "\u202Ereversed\u2067";
const LONG = "W".repeat(1_000);

/** How far the page reaches beyond the window, in pixels. A part that is still loading may be wide for a moment. */
const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test("names and texts of strangers are shown as they are, start nothing and widen nothing", async ({ page }) => {
  const { projectID, api } = await newProject();
  const tag = `${MARKUP} ${unique("tag")}`.slice(0, 100);
  const { data: segment } = await api.createSegment({ body: { name: unique("segment"), type: "id_list", description: MARKUP } });
  const inSegment = { type: "passes_segment" as const, targetValue: segment.id };
  const isReversed = { type: "user_id" as const, operator: "any" as const, targetValue: [REVERSED, MARKUP, LONG] };
  const gate = await newGate(api, {
    name: "W".repeat(100),
    description: `${MARKUP}\n${REVERSED}\n${LONG}`.slice(0, 1_000),
    tags: [tag, REVERSED, "T".repeat(100)],
    rules: [
      rule(MARKUP.slice(0, 100), { conditions: [inSegment] }),
      rule(REVERSED, { conditions: [isReversed] }),
      rule("R".repeat(100), { passPercentage: 5 }),
    ],
  });
  await api.updateGateOverrides({ path: { id: gate.id }, body: { passingUserIDs: [MARKUP, LONG, REVERSED], failingUserIDs: [] } });
  await api.patchGate({ path: { id: gate.id }, body: { description: MARKUP } });

  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  page.on("dialog", (dialog) => {
    requested.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.setViewportSize(NARROW);
  const check = async (part: string) => {
    await expect.poll(() => overflow(page), part).toBe(0);
    expect.soft(await page.evaluate(() => document.querySelectorAll("img[src*=stolen], main script").length), part).toBe(0);
  };

  await page.goto(`/projects/${projectID}/gates`);
  await expect(page.getByRole("rowheader", { name: gate.name })).toBeVisible();
  await check("list");
  await page.goto(`/projects/${projectID}/gates/${gate.id}`);
  await expect(page.getByRole("heading", { name: MARKUP.slice(0, 100), level: 3 })).toBeVisible();
  await check("targeting");
  for (const name of [MARKUP.slice(0, 100), REVERSED]) await page.getByRole("button", { name: `Edit ${name}`, exact: true }).click();
  await check("editor");
  await page.getByLabel("User ID").fill(LONG);
  await expect(page.getByRole("region", { name: "Saved", exact: true })).toBeVisible();
  await check("test a user");
  for (const [tab, shown] of [
    ["Overrides", page.getByRole("table", { name: "Overrides" })],
    ["Checks", page.getByRole("button", { name: /^Last 24 hours/ })],
    ["History", page.getByRole("list", { name: "Versions" })],
    ["Used by", page.getByText("Nothing else uses this gate")],
    ["Details", page.getByRole("textbox", { name: "Description" })],
  ] as const) {
    await page.getByRole("tab", { name: tab }).click();
    await expect(shown).toBeVisible();
    await check(tab);
  }
  await expect(page.getByRole("textbox", { name: "Description" })).toHaveValue(MARKUP);
  await page.getByRole("textbox", { name: "Description" }).fill(LONG);
  const dialog = await review(page);
  await expect(dialog).toContainText(MARKUP);
  await check("review");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog).toBeHidden();
  await check("saved");
  expect(requested.filter((url) => /stolen|^dialog/.test(url))).toEqual([]);
});

test("names with a direction of their own leave the words around them in order", async ({ api, page }) => {
  const gate = await newGate(api, { rules: [rule(`a${REVERSED}`)] });
  await openGate(page, gate.id);
  const heading = page.getByRole("heading", { level: 3, name: /reversed/ });
  const isIsolated = await heading.evaluate((element) => element.querySelector("bdi")?.textContent === element.textContent);
  expect(isIsolated).toBe(true);
});

/** A hundred characters: markup, a reversed text, and no place to break a line. */
const NAME = `${MARKUP}${REVERSED}${LONG}`.slice(0, 100);
/** Where the contract allows letters alone. */
const LETTERS = LONG.slice(0, 100);
const TEXT = `${MARKUP}\n${REVERSED}\n${LONG}`.slice(0, 1_000);
const rules = [rule(NAME, { conditions: [{ type: "user_id" as const, operator: "any" as const, targetValue: [MARKUP, LONG, REVERSED] }] })];

type Kind = { kind: string; list: string; tabs: readonly string[]; create: (api: ConsoleClient) => Promise<string> };

/** Every kind with a page, what is hostile of it, and its tabs. */
const KINDS: readonly Kind[] = [
  {
    kind: "dynamic config",
    list: "dynamic-configs",
    tabs: ["values", "schema", "history", "used-by", "details"],
    create: async (api) => {
      const body = {
        name: LETTERS,
        description: TEXT,
        defaultValue: { [MARKUP]: LONG },
        rules: [{ ...rules[0], returnValue: { a: MARKUP } }],
      };
      return (await api.createDynamicConfig({ body: body as never })).data.id;
    },
  },
  {
    kind: "experiment",
    list: "experiments",
    tabs: ["setup", "overrides", "exposures", "history", "used-by", "details"],
    create: async (api) => {
      const groups = [
        { name: NAME, size: 50, parameterValues: { [MARKUP]: LONG } },
        { name: `${NAME.slice(0, 90)} other`, size: 50 },
      ];
      return (await api.createExperiment({ body: { name: LETTERS, description: TEXT, hypothesis: TEXT, groups } })).data.id;
    },
  },
  {
    kind: "layer",
    list: "layers",
    tabs: ["buckets", "parameters", "overrides", "history", "used-by", "details"],
    create: async (api) => {
      const parameters = [{ name: NAME, type: "string" as const, defaultValue: LONG }];
      return (await api.createLayer({ body: { name: LETTERS, description: TEXT, idType: "userID", parameters } })).data.id;
    },
  },
  {
    kind: "holdout",
    list: "holdouts",
    tabs: ["held", "overrides", "history", "used-by", "details"],
    create: async (api) => (await api.createHoldout({ body: { name: LETTERS, description: TEXT } })).data.id,
  },
  {
    kind: "segment",
    list: "segments",
    tabs: ["members", "history", "used-by", "details"],
    create: async (api) =>
      (await api.createSegment({ body: { name: LETTERS, description: TEXT, type: "rule_based", rules } as never })).data.id,
  },
  {
    kind: "param store",
    list: "param-stores",
    tabs: ["parameters", "history", "details"],
    create: async (api) => {
      const parameters = [{ name: NAME, ref_type: "static" as const, param_type: "string" as const, value: LONG }];
      return (await api.createParamStore({ body: { name: NAME, description: TEXT, parameters } })).data.name;
    },
  },
  {
    kind: "metric",
    list: "metrics",
    tabs: ["definition", "history", "used-by", "details"],
    create: async (api) => {
      const criteria = [{ type: "metadata" as const, column: MARKUP, condition: "in" as const, values: [MARKUP, REVERSED, LONG] }];
      const metricEvents = [{ name: MARKUP.slice(0, 128), criteria }];
      return (await api.createMetric({ body: { name: "M".repeat(200), type: "event_user", description: TEXT, metricEvents } })).data.id;
    },
  },
  {
    kind: "metric source",
    list: "metric-sources",
    tabs: ["source", "history", "details"],
    create: async (api) => {
      const idTypeMapping = [{ serviceUnitID: "userID", column: LONG }];
      const customFieldMapping = [{ key: MARKUP, formula: LONG }];
      const body = { name: NAME, description: TEXT, sql: TEXT, timestampColumn: MARKUP, idTypeMapping, customFieldMapping };
      return (await api.createMetricSource({ body })).data.name;
    },
  },
  {
    kind: "alert",
    list: "alerts",
    tabs: ["status", "definition", "history", "details"],
    create: async (api) => {
      const watched = { metrics: { A: { id: `${MARKUP}${"M".repeat(150)}` } }, condition: "greater", alertThreshold: 1e15 } as const;
      const body = { name: LETTERS, message: TEXT, alertType: "threshold", ...watched, windowMs: 300_000, priority: "P3" } as const;
      return (await api.createAlert({ body })).data.id;
    },
  },
  {
    kind: "assignment source",
    list: "assignment-sources",
    tabs: ["source", "history", "details"],
    create: async (api) => {
      const idTypeMapping = [{ serviceUnitID: "userID", column: LONG }];
      const columns = {
        timestampColumn: MARKUP,
        experimentIDColumn: REVERSED,
        groupIDColumn: LONG,
        groupNameColumn: MARKUP,
        idTypeMapping,
      };
      return (await api.createAssignmentSource({ body: { name: NAME, description: TEXT, sql: TEXT, ...columns } })).data.name;
    },
  },
  {
    kind: "team",
    list: "teams",
    tabs: ["team", "history"],
    create: async (api) => (await api.createTeam({ body: { name: NAME, description: TEXT } })).data.id,
  },
  {
    kind: "role",
    list: "roles",
    tabs: ["permissions", "people"],
    create: async (api) => (await api.createRole({ body: { name: LETTERS, permissions: { read: true } } })).data.name,
  },
  {
    kind: "key",
    list: "keys",
    tabs: [""],
    create: async (api) => (await api.createKey({ body: { type: "SERVER", description: TEXT } })).data.id,
  },
];

for (const { kind, list, tabs, create } of KINDS)
  test(`hostile texts of one ${kind} start nothing and widen nothing, in its list and on its page`, async ({ page }) => {
    const { projectID, api } = await newProject();
    const id = await create(api);
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await page.setViewportSize(NARROW);
    const places = [list, ...tabs.map((tab) => `${list}/${encodeURIComponent(id)}${tab === "" ? "" : `?tab=${tab}`}`), "audit-log"];
    for (const place of places) {
      await page.goto(`/projects/${projectID}/${place}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByRole("status", { name: /^Loading|^Reading/ })).toHaveCount(0);
      await expect.poll(() => overflow(page), place).toBe(0);
      expect.soft(await page.evaluate(() => document.querySelectorAll("img[src*=stolen], main script").length), place).toBe(0);
    }
    expect(requested.filter((url) => url.includes("/stolen"))).toEqual([]);
  });

test("a project, its people, tags, apps, unit ID types and events with hostile names start nothing and widen nothing", async ({ page }) => {
  const { projectID, api } = await newProject();
  await api.updateProjectSettings({ body: { name: NAME, visibility: "CLOSED" } });
  await api.createTag({ body: { name: NAME, description: TEXT } });
  await api.createTargetApp({ body: { name: NAME, description: TEXT } });
  await api.createUnitIDType({ body: { name: NAME, description: TEXT } });
  const email = `${unique("person")}@example.com`;
  const { data } = await api.inviteUsers({ body: { role: "Viewer", emails: [email] } });
  await apiOf().redeemToken({ body: { token: data[0]?.token ?? "", email, name: NAME, password: "correct horse battery staple" } });
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: "reports" } });
  await evaluationApi(key.key ?? "").logEvent({
    body: { events: [{ eventName: NAME, user: { userID: LONG }, value: MARKUP, metadata: { [MARKUP]: LONG }, time: Date.now() }] },
  });
  await expect.poll(async () => (await api.listEvents()).data.length, { timeout: 60_000 }).toBe(1);
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await page.setViewportSize(NARROW);
  for (const place of [
    ...["settings", "settings?tab=tags", "settings?tab=target-apps", "settings?tab=unit-id-types", "people", "account", "instance"],
    ...["instance?view=projects", "events", `events/${encodeURIComponent(NAME)}`, "", "audit-log", "start"],
  ]) {
    await page.goto(`/projects/${projectID}/${place}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByRole("status", { name: /^Loading|^Reading/ })).toHaveCount(0);
    await expect.poll(() => overflow(page), place).toBe(0);
    expect.soft(await page.evaluate(() => document.querySelectorAll("img[src*=stolen], main script").length), place).toBe(0);
  }
  expect(requested.filter((url) => url.includes("/stolen"))).toEqual([]);
});
