import { createEvaluationClient } from "@gatehouse/client";
import { expectAccessible } from "./support/accessibility.ts";
import { NIGHT } from "./support/night.ts";
import { invitePerson, newProject, signedInAs, unique } from "./support/people.ts";
import { serverUrl } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

test("changes of kinds other than gates lead to their history", async ({ newPerson, openBrowser }) => {
  const [mine, theirs] = [await newPerson("Member", "Grace Hopper"), await newPerson("Member", "Alan Turing")];
  const name = unique("config");
  await theirs.api.createDynamicConfig({ body: { name } });
  const page = await openBrowser(signedInAs(mine));
  await page.goto(".");
  const entry = page.getByRole("list", { name: "Changes by others" }).getByRole("listitem").filter({ hasText: name });
  await expect(entry).toContainText(`Alan Turing created dynamic config ${name}`);
  await entry.getByRole("link", { name }).click();
  await expect(page.getByRole("tab", { name: "History", selected: true })).toBeVisible();
});

test("changes by others show until they are marked as seen, and one's own never", async ({ openBrowser, newPerson }) => {
  const [mine, theirs] = [await newPerson("Member", "Grace Hopper"), await newPerson("Member", "Alan Turing")];
  const [own, other] = [unique("own"), unique("other")];
  await mine.api.createGate({ body: { name: own } });
  await theirs.api.createGate({ body: { name: other } });
  await theirs.api.patchGate({ path: { id: other }, body: { description: "Twice" } });
  const page = await openBrowser(signedInAs(mine));
  await page.goto(".");
  const list = page.getByRole("list", { name: "Changes by others" });
  const entry = list.getByRole("listitem").filter({ hasText: other });
  await expect(entry).toContainText(`Alan Turing created gate ${other}`);
  await expect(entry).toContainText("2 changes");
  await expect(list.getByText(own)).toBeHidden();

  await page.getByRole("button", { name: "Mark as seen" }).click();
  await expect(page.getByText("No recent activity.")).toBeVisible();
  await page.reload();
  await expect(page.getByText("No recent activity.")).toBeVisible();
  const later = unique("later");
  await theirs.api.createGate({ body: { name: later } });
  await page.reload();
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await list.getByRole("link", { name: later }).click();
  await expect(page.getByRole("heading", { name: later, level: 1 })).toBeVisible();
});

test("a request by someone else that changes several entities is one row, which opens to each of them", async ({
  openBrowser,
  newPerson,
}) => {
  const [mine, theirs] = [await newPerson("Member", "Grace Hopper"), await newPerson("Member", "Alan Turing")];
  const names = ["a", "b"].map(unique);
  await theirs.api.batch({ requests: names.map((name) => ({ operationId: "createGate" as const, body: { name } })) });
  const page = await openBrowser(signedInAs(mine));
  await page.goto(".");
  const row = page
    .getByRole("list", { name: "Changes by others" })
    .getByRole("listitem")
    .filter({ hasText: names.join(" and ") });
  await expect(row).toContainText("Alan Turing created 2 gates");
  await row.getByRole("button", { name: "Show 2 changes" }).press("Enter");
  await expect(row.getByRole("listitem")).toContainText([`created gate ${names[1]}`, `created gate ${names[0]}`]);
  await row.getByRole("link", { name: names[0] }).first().click();
  await expect(page.getByRole("heading", { name: names[0], level: 1 })).toBeVisible();
});

test("changes by others name keys, members and the entities of overrides instead of their IDs", { tag: NIGHT }, async ({ openBrowser }) => {
  const project = await newProject();
  const [mine, theirs] = [await invitePerson(project, "Admin"), await invitePerson(project, "Admin", "Alan Turing")];
  const { data: gate } = await theirs.api.createGate({ body: { name: "New checkout" } });
  await theirs.api.updateGateOverrides({ path: { id: gate.id }, body: { passingUserIDs: ["ada"], failingUserIDs: [] } });
  await theirs.api.createKey({ body: { type: "SERVER", description: "Checkout service" } });
  await theirs.api.createComment({ body: { entityType: "gate", entityID: gate.id, text: "Ready?" } });
  const page = await openBrowser(signedInAs(mine));
  await page.goto(`/projects/${project.projectID}`);
  const entries = page.getByRole("list", { name: "Changes by others" }).getByRole("listitem").locator("> span:first-child");
  await expect(entries.filter({ hasText: "Alan Turing created" })).toHaveText([
    ...["Alan Turing created a comment", "Alan Turing created key Checkout service"],
    ...["Alan Turing created overrides of the gate New checkout", "Alan Turing created gate New checkout"],
  ]);
  await expect(entries.getByRole("link", { name: "Alan Turing" })).toBeVisible();
  await expectAccessible(page);
});

test("an experiment that ended without a decision waits for one", async ({ page }) => {
  const { projectID, api } = await newProject();
  const { data: experiment } = await api.createExperiment({ body: { name: "Button color", status: "active" } });
  await api.patchExperiment({ path: { id: experiment.id }, body: { status: "experiment_stopped" } });
  await page.goto(`/projects/${projectID}`);
  const section = page.getByRole("region", { name: "Ready for a decision" });
  await expect(section.getByRole("listitem").filter({ hasText: "Button color" })).toContainText("Ended");
  await expectAccessible(page);
});

test("at most five rollouts in progress are listed, the nearest step first, with a link to all of them", async ({ page }) => {
  const { projectID, api } = await newProject();
  const day = 86_400_000;
  const stepping = (name: string, time: number) => {
    const pendingAutomatedRollouts = [{ time: Date.now() + time, passPercent: 50 }];
    return { body: { name, rules: [{ name: "Everyone", passPercentage: 10, conditions: [], pendingAutomatedRollouts }] } };
  };
  for (const days of [9, 8, 7]) await api.createGate(stepping(`in ${days} days`, days * day + 60_000));
  await page.goto(`/projects/${projectID}`);
  const rollouts = page.getByRole("region", { name: "Rollouts in progress" });
  await expect(rollouts.getByRole("listitem")).toHaveText([/^in 7 days/, /^in 8 days/, /^in 9 days/]);
  await api.createGate(stepping("soon", day / 24));
  await api.createDynamicConfig(stepping("config soon", day / 12));
  await api.createGate(stepping("in 99 days", 99 * day));
  await page.reload();
  await expect(rollouts.getByRole("listitem")).toHaveText([/^soon/, /^config soon/, /^in 7 days/, /^in 8 days/, /^in 9 days/]);
  await expect(rollouts.getByRole("listitem").nth(2)).toHaveText("in 7 daysEveryone: 10% → 50%in 7 days");
  await expectAccessible(page);
  await rollouts.getByRole("link", { name: "All rollouts" }).click();
  const all = page.getByRole("table", { name: "Rollouts" });
  await expect(all.getByRole("rowheader")).toHaveText(["soon", "config soon", "in 7 days", "in 8 days", "in 9 days", "in 99 days"]);
  await expect(all.getByRole("row", { name: "in 8 days" })).toContainText(/GateEveryone10%50% in 8 days50%/);
  await expectAccessible(page);
  await page.goBack();
  await rollouts.getByRole("link", { name: "config soon" }).click();
  await expect(page.getByRole("heading", { name: "config soon", level: 1 })).toBeVisible();
});

test("running experiments show their day, and a person's own and last opened entities are listed", async ({ openBrowser }) => {
  const project = await newProject();
  const grace = await invitePerson(project, "Admin");
  const { data: session } = await grace.api.getSession();
  const owner = { ownerID: session.person.id, ownerType: "USER" as const };
  const { data: experiment } = await grace.api.createExperiment({ body: { name: "Button color", duration: 14, status: "active", owner } });
  const { data: gate } = await grace.api.createGate({ body: { name: "New checkout", owner } });
  await project.api.createGate({ body: { name: "Another gate" } });
  const page = await openBrowser(signedInAs(grace));
  await page.goto(`/projects/${project.projectID}/gates/${gate.id}`);
  await expect(page.getByRole("heading", { name: "New checkout", level: 1 })).toBeVisible();
  await page.goto(`/projects/${project.projectID}`);
  const list = (name: string) => page.getByRole("region", { name }).getByRole("listitem");
  await expect(list("Running experiments")).toHaveText([new RegExp(`^${experiment.name}Day 1 of 14`)]);
  await expect(list("Owned by you")).toHaveText([/^New checkoutgate/, /^Button colorexperiment/]);
  await expect(list("Recently viewed")).toHaveText(["New checkoutgate"]);
  await list("Recently viewed").getByRole("link").click();
  await expect(page.getByRole("heading", { name: "New checkout", level: 1 })).toBeVisible();
});

test("a change by someone else is undone after a review, unless newer changes would be lost", async ({ openBrowser, newPerson }) => {
  const [mine, theirs] = [await newPerson("Member", "Grace Hopper"), await newPerson("Member", "Alan Turing")];
  const [id, contested] = [unique("undone"), unique("contested")];
  for (const name of [id, contested]) await mine.api.createGate({ body: { name, description: "First" } });
  for (const description of ["Second", "Third"]) await theirs.api.patchGate({ path: { id }, body: { description } });
  await theirs.api.patchGate({ path: { id: contested }, body: { description: "Second" } });
  const page = await openBrowser(signedInAs(mine));
  await page.goto(".");
  const others = page.getByRole("list", { name: "Changes by others" });
  const undo = (name: string) => others.getByRole("button", { name: new RegExp(`^Undo .* to ${name}$`) });
  await expect(undo(contested)).toBeVisible();
  await theirs.api.deleteGate({ path: { id: contested } });
  await undo(id).click();
  const review = page.getByRole("dialog", { name: `Undo changes to ${id}` });
  await expect(review).toContainText("Third");
  await expectAccessible(page);
  await review.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(review).toBeHidden();
  expect((await mine.api.getGate({ path: { id } })).data.description).toBe("First");
  // The reader's own change is now the newest one.
  await expect(undo(id)).toHaveAttribute("aria-disabled", "true");

  // The deletion is undone together with the change before it.
  await undo(contested).click();
  await page.getByRole("dialog").getByRole("button", { name: "Undo", exact: true }).click();
  await expect(page.getByRole("dialog")).toBeHidden();
  expect((await mine.api.getGate({ path: { id: contested } })).data.description).toBe("First");
});

test("your own last change is undone after a review, and the undo can be undone", async ({ openBrowser }) => {
  const project = await newProject();
  const mine = await invitePerson(project, "Member");
  const { data: gate } = await mine.api.createGate({ body: { name: "Shop", description: "First" } });
  for (const description of ["Second", "Third"]) await mine.api.patchGate({ path: { id: gate.id }, body: { description } });
  const page = await openBrowser(signedInAs(mine));
  await page.goto(`/projects/${project.projectID}`);
  const own = page.getByRole("region", { name: "Your last change" });
  await expect(own.getByRole("listitem").first()).toContainText("You changed gate Shop");
  const stored = async () => (await mine.api.getGate({ path: { id: gate.id } })).data.description;
  for (const restored of ["Second", "Third"]) {
    await own.getByRole("button", { name: "Undo change to Shop" }).click();
    const review = page.getByRole("dialog", { name: "Undo changes to Shop" });
    await expect(review).toContainText(restored);
    await review.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(review).toBeHidden();
    await expect.poll(stored).toBe(restored);
    await page.reload();
  }
  await expectAccessible(page);
});

test("an undo and the audit log name the changed rule as a review does, and an undo names its environments", async ({ openBrowser }) => {
  const project = await newProject();
  const [mine, theirs] = [await invitePerson(project, "Member"), await invitePerson(project, "Member", "Alan Turing")];
  const rule = (name: string, passPercentage: number) => ({ name, passPercentage, conditions: [], environments: ["staging"] });
  const rules = [rule("Staff", 100), rule("Supported countries", 5)];
  const { data: gate } = await mine.api.createGate({ body: { name: "Shop", rules } });
  const raised = gate.rules.map((one, index) => (index === 1 ? { ...one, passPercentage: 100 } : one));
  await theirs.api.patchGate({ path: { id: gate.id }, body: { rules: raised } });
  const page = await openBrowser(signedInAs(mine));
  await page.goto(`/projects/${project.projectID}`);
  await page.getByRole("button", { name: "Undo change to Shop" }).click();
  const review = page.getByRole("dialog", { name: "Undo changes to Shop" });
  await expect(review.getByRole("listitem")).toHaveText(["Rule “Supported countries”: passes 100% → 5%"]);
  await expect(review).toContainText("Affects users in staging.");
  await page.goto(`/projects/${project.projectID}/audit-log?type=gate`);
  const entry = page.getByRole("listitem").filter({ hasText: "Alan Turing changed the gate Shop" });
  await expect(entry).toContainText("Rule “Supported countries”: passes 5% → 100%");
  await expectAccessible(page);
});

test("checks per hour are shown for each environment", { tag: NIGHT }, async ({ page }) => {
  const { projectID, api } = await newProject();
  const { data: gate } = await api.createGate({ body: { name: "Checked" } });
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: "browser tests", environments: ["production"] } });
  const flags = createEvaluationClient({ baseUrl: serverUrl(), apiKey: key.key ?? "" });
  for (const userID of ["one", "other"]) await flags.checkGate({ body: { gateName: gate.id, user: { userID } } });
  await expect.poll(async () => (await api.getChecksByEnvironment()).data.environments.length).toBe(1);
  await page.goto(`/projects/${projectID}`);
  const list = page.getByRole("list", { name: "Checks by environment" });
  await expect(list.getByRole("listitem")).toHaveText([/^production.*2 checks in 24 hours$/i]);
  await expect(list.getByRole("img")).toHaveAccessibleName(/^Checks per hour in production: from 0 checks to 2 checks/i);
  await expectAccessible(page);
  await list.getByRole("link").click();
  await expect(page.getByRole("heading", { name: "Gates", level: 1 })).toBeVisible();
});
