import { kinds } from "../src/kinds/kinds.ts";
import { newGate, openGate, review, rule } from "./support/gates.ts";
import { LONG, MARKUP, NAME, REVERSED, TEXT } from "./support/hostile.ts";
import { dayOrNight, kindTests, PAGED_TYPES } from "./support/kinds.ts";
import { NIGHT } from "./support/night.ts";
import { newProject, unique } from "./support/people.ts";
import { expectReflow, overflow } from "./support/reflow.ts";
import { createApi, evaluationApi } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const NARROW = { width: 390, height: 800 };

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
    ["Used by", page.getByText("This gate isn’t used anywhere")],
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

for (const type of PAGED_TYPES) {
  const { createHostile, listFurtherPages } = kindTests[type];
  const { noun, place, tabs } = kinds[type];
  test(`hostile texts of one ${noun} start nothing and widen nothing, in its list and on its page`, dayOrNight(type), async ({ page }) => {
    const { projectID, api } = await newProject();
    const { id } = await createHostile(api);
    const others = (await listFurtherPages?.(api)) ?? [];
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    const pages = Object.keys(tabs).map((tab) => `${place.path}/${encodeURIComponent(id)}?tab=${tab}`);
    for (const address of [place.path, ...pages, ...others, "audit-log"]) {
      await page.goto(`/projects/${projectID}/${address}`);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByRole("status", { name: /^Loading|^Reading/ })).toHaveCount(0);
      await expectReflow(page, address);
      expect.soft(await page.evaluate(() => document.querySelectorAll("img[src*=stolen], main script").length), address).toBe(0);
    }
    expect(requested.filter((url) => url.includes("/stolen"))).toEqual([]);
  });
}

test("a project, its people, tags, apps, unit ID types and events with hostile names start nothing and widen nothing", {
  tag: NIGHT,
}, async ({ page }) => {
  const { projectID, api } = await newProject();
  await api.updateProjectSettings({ body: { name: NAME, visibility: "CLOSED" } });
  await api.createTag({ body: { name: NAME, description: TEXT } });
  await api.createTargetApp({ body: { name: NAME, description: TEXT } });
  await api.createUnitIDType({ body: { name: NAME, description: TEXT } });
  const email = `${unique("person")}@example.com`;
  const { data } = await api.inviteUsers({ body: { role: "Viewer", emails: [email] } });
  await createApi().redeemToken({ body: { token: data[0]?.token ?? "", email, name: NAME, password: "correct horse battery staple" } });
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
