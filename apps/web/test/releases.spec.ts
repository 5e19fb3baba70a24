import type { Page } from "@playwright/test";
import { expectAccessible } from "./support/accessibility.ts";
import { choose, newGate, readGate, review, reviewAndSave, rule, saveBar } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { invitePerson, newProject, type Project, signedInAs, unique } from "./support/people.ts";
import { evaluationApi } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const DAY_MS = 86_400_000;

/** A phase for people by their user IDs. */
const phase = (name: string, users: string[], given: object = {}) => ({
  ...{ name, timeIntervalMs: DAY_MS, requiredReview: false },
  rules: [{ name: "By ID", conditions: [{ type: "user_id" as const, operator: "any" as const, targetValue: users }] }],
  ...given,
});

/** The users of a list who pass a gate. */
async function passing({ api }: Project, gateName: string) {
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: "release" } });
  const flags = evaluationApi(key.key ?? "");
  return async () => {
    const checks = ["ada", "grace", "alan"].map(
      async (userID) => [userID, await flags.checkGate({ body: { gateName, user: { userID } } })] as const,
    );
    return (await Promise.all(checks)).filter(([, { value }]) => value).map(([userID]) => userID);
  };
}

const notice = (page: Page) => page.getByRole("note").filter({ hasText: "The last change is being released" });

/** Takes a step of a release after its question. */
async function confirm(page: Page, question: string, consequence: string, label: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: question });
  await expect(dialog).toContainText(consequence);
  await expectAccessible(page);
  await dialog.getByRole("button", { name: label, exact: true }).click();
  await expect(dialog).toBeHidden();
}

test("a pipeline that is built in the editor releases a gate’s change in phases, until an abort takes it back", async ({ page }) => {
  const project = await newProject();
  const { projectID, api } = project;
  const gate = await newGate(api);
  const { data: pipeline } = await api.createReleasePipeline({ body: { name: "Staff first", phases: [phase("Staff", ["ada"])] } });
  await page.goto(`/projects/${projectID}/release-pipelines/${pipeline.id}`);
  await page.getByRole("button", { name: "Add phase" }).click();
  await page.getByLabel("Phase name").fill("Partners");
  await page.getByLabel("Duration", { exact: true }).fill("36");
  await choose(page, page.getByRole("button", { name: /Unit of “Duration”$/ }), "hours");
  await page.getByRole("button", { name: "Add rule" }).click();
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByLabel("Add values").fill("grace");
  await page.keyboard.press("Enter");
  await expectAccessible(page);
  const dialog = await review(page);
  await expect(dialog.getByRole("listitem")).toHaveText([
    "Phase “Partners” added: lasts 36 hours, begins without approval",
    "Phase “Partners”: Rule “Rule” added: Users get the change if User ID is any of grace.",
  ]);
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(saveBar(page)).toBeHidden();

  await page.goto(`/projects/${projectID}/gates/${gate.id}?tab=details`);
  await choose(page, page.getByRole("button", { name: /Release pipeline$/ }), "Staff first");
  await reviewAndSave(page);
  await page.getByRole("tab", { name: "Targeting" }).click();
  await page.getByRole("button", { name: "Add rule" }).click();
  await page.getByRole("button", { name: "Everyone", exact: true }).click();
  await page.getByRole("checkbox", { name: "All environments (including new ones)" }).check({ force: true });
  const change = await review(page);
  await expect(change.getByRole("listitem")).toHaveText(["Rule “New rule” added: Everyone: 100% of users pass."]);
  const plan = change.getByRole("note").filter({ hasText: "This change will be released through the pipeline “Staff first”" });
  await expect(plan).toContainText("“Staff” at once, then “Partners” after 1 day, then everyone after 36 hours.");
  await expect(plan).toContainText("First phase: Users get the change if User ID is any of ada.");
  await expectAccessible(page);
  await change.getByRole("button", { name: "Save" }).click();
  await expect(notice(page)).toContainText("Phase 1 of 2, “Staff”");
  await expect(page.getByRole("button", { name: "Add rule" })).toHaveAttribute("aria-disabled", "true");
  await expectAccessible(page);
  const users = await passing(project, gate.id);
  expect(await users()).toEqual(["ada"]);
  await page.goto(`/projects/${projectID}/gates`);
  await expect(page.getByRole("row", { name: new RegExp(gate.name) })).toContainText("Releasing: Staff");
  await expectAccessible(page);

  await page.goto(`/projects/${projectID}/release-pipelines/${pipeline.id}`);
  await page
    .getByRole("note")
    .getByRole("link", { name: `Release of gate ${gate.id}` })
    .click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Release of gate ${gate.id}`);
  await page.getByRole("button", { name: "Pause" }).click();
  await confirm(page, "Pause release?", "Users keep what they get now.", "Pause");
  await expect(page.getByRole("listitem", { name: "Staff" })).toContainText("Paused with 23 hours left in “Staff”.");
  await page.getByRole("button", { name: /^Skip to/ }).click();
  await page.getByRole("menuitem", { name: "Partners" }).click();
  await confirm(page, "Skip to Partners?", "The users of “Partners” get the change now.", "Skip");
  await expect(page.getByRole("listitem", { name: "Partners" })).toHaveAttribute("aria-current", "step");
  await expect(page.getByRole("list", { name: "Activity" })).toContainText("Ada Lovelace skipped to “Partners”");
  expect(await users()).toEqual(["ada", "grace"]);
  await expectAccessible(page);

  await page.getByRole("button", { name: "Abort" }).click();
  await confirm(page, "Abort release?", "Everyone goes back to what they had before the release.", "Abort release");
  await expect(page.getByRole("listitem", { name: "Aborted" })).toContainText("Everyone went back to what they had before the release.");
  expect(await users()).toEqual([]);
  expect(await readGate(api, gate.id)).toMatchObject({ rules: [], releasePipelineID: pipeline.id });
  await page.goto(`/projects/${projectID}/gates/${gate.id}?tab=history&version=4`);
  await expect(page.getByRole("main")).toContainText("Release: phase “Partners” began");
});

test("Home lists a release in progress, and the gate’s page pauses it, skips on and aborts it", { tag: NIGHT }, async ({ page }) => {
  const project = await newProject();
  const { projectID, api } = project;
  const phases = [phase("Staff", ["ada"]), phase("Partners", ["grace"])];
  const { data: pipeline } = await api.createReleasePipeline({ body: { name: "Staff first", phases } });
  const gate = await newGate(api, { releasePipelineID: pipeline.id });
  await api.patchGate({ path: { id: gate.id }, body: { rules: [rule("Everyone")] } });
  const users = await passing(project, gate.id);
  await page.goto(`/projects/${projectID}`);
  const running = page.getByRole("region", { name: "Releases in progress" });
  await expect(running.getByRole("listitem")).toContainText("“Partners”");
  await expect(running.getByRole("link", { name: `Release of gate ${gate.id}` })).toBeVisible();
  await expectAccessible(page);

  await page.goto(`/projects/${projectID}/gates/${gate.id}`);
  await notice(page).getByRole("button", { name: "Pause" }).click();
  await confirm(page, "Pause release?", "Users keep what they get now.", "Pause");
  await expect(notice(page)).toContainText("Paused with 23 hours left in “Staff”.");
  expect(await users()).toEqual(["ada"]);
  await notice(page)
    .getByRole("button", { name: /^Skip to/ })
    .click();
  await page.getByRole("menuitem", { name: "Partners" }).click();
  await confirm(page, "Skip to Partners?", "The users of “Partners” get the change now.", "Skip");
  await expect(notice(page)).toContainText("Phase 2 of 2, “Partners”");
  expect(await users()).toEqual(["ada", "grace"]);
  await notice(page).getByRole("button", { name: "Abort" }).click();
  await confirm(page, "Abort release?", "Everyone goes back to what they had before the release.", "Abort release");
  await expect(notice(page)).toHaveCount(0);
  expect(await users()).toEqual([]);
  expect((await readGate(api, gate.id)).rules).toEqual([]);
  await page.goto(`/projects/${projectID}`);
  await expect(page.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();
  await expect(running).toHaveCount(0);
});

test("a second person approves a phase that the author can’t approve, and then everyone gets the change", { tag: NIGHT }, async ({
  openBrowser,
}) => {
  const project = await newProject();
  const { projectID, api } = project;
  const author = await invitePerson(project, "Member", "Ada Author");
  const approver = await invitePerson(project, "Member", "Rosa Reviewer");
  const phases = [phase("Staff", ["ada"], { requiredReview: true }), phase("Partners", ["grace"])];
  const { data: pipeline } = await api.createReleasePipeline({ body: { name: "Careful", phases } });
  const gate = await newGate(api, { releasePipelineID: pipeline.id });
  await author.api.patchGate({ path: { id: gate.id }, body: { rules: [rule("Everyone")] }, query: { reason: "The sale begins." } });
  const users = await passing(project, gate.id);
  expect(await users()).toEqual([]);

  const page = await openBrowser(signedInAs(author));
  await page.goto(`/projects/${projectID}/gates/${gate.id}`);
  await expect(notice(page)).toContainText("Waiting for approval of “Staff”.");
  for (const name of ["Approve", "Complete"])
    await expect(notice(page).getByRole("button", { name, exact: true })).toHaveAttribute("aria-disabled", "true");

  const theirs = await openBrowser(signedInAs(approver));
  await theirs.goto(`/projects/${projectID}`);
  const needed = theirs.getByRole("region", { name: "Releases that need your approval" });
  await expect(needed).toContainText("Waiting for approval of “Staff”.");
  await expectAccessible(theirs);
  await needed.getByRole("link", { name: "All releases" }).click();
  await expect(theirs.getByRole("tab", { name: "Waiting for approval" })).toHaveAttribute("aria-selected", "true");
  await expect(theirs.getByRole("list", { name: "Releases" })).toContainText("The sale begins.");
  await expectAccessible(theirs);
  await theirs.getByRole("link", { name: `Release of gate ${gate.id}` }).click();
  await theirs.getByRole("button", { name: "Approve" }).click();
  await confirm(theirs, "Approve Staff?", "The phase begins now and lasts 1 day.", "Approve");
  await expect(theirs.getByRole("list", { name: "Activity" })).toContainText("Rosa Reviewer approved “Staff”");
  expect(await users()).toEqual(["ada"]);

  await expect(notice(page)).toContainText("Phase 1 of 2, “Staff”");
  await notice(page).getByRole("button", { name: "Complete", exact: true }).click();
  await confirm(page, "Complete release?", "Everyone gets the change now.", "Complete");
  await expect(notice(page)).toHaveCount(0);
  expect(await users()).toEqual(["ada", "grace", "alan"]);
});

/** The server looks for due alert checks once a minute. */
const CHECK_TIMEOUT_MS = 300_000;

test("an alert pauses a release and says why, until someone resumes it", { tag: NIGHT }, async ({ page }) => {
  test.setTimeout(2 * CHECK_TIMEOUT_MS);
  const { projectID, api } = await newProject();
  const metric = unique("revenue");
  await api.createMetric({ body: { name: metric, type: "sum", metricEvents: [{ name: metric, type: "value" }] } });
  // The sum of a metric without events is 0.
  const watched = { alertType: "threshold", metrics: { A: { id: `${metric}::sum` } }, condition: "greater", alertThreshold: -1 } as const;
  const body = { name: "Revenue", ...watched, windowMs: 30 * DAY_MS, priority: "P3" } as const;
  const { data: alert } = await api.createAlert({ body });
  const phases = [phase("Staff", ["ada"], { guardrailAlerts: [alert.id] }), phase("Partners", ["grace"])];
  const { data: pipeline } = await api.createReleasePipeline({ body: { name: "Guarded", phases } });
  const gate = await newGate(api, { releasePipelineID: pipeline.id });
  await page.goto(`/projects/${projectID}/release-pipelines/${pipeline.id}`);
  await expect(page.getByRole("listitem", { name: "Staff" })).toContainText(`The release pauses if the alert ${alert.id} is raised.`);
  await api.patchGate({ path: { id: gate.id }, body: { rules: [rule("Everyone")] } });
  const status = async () => (await api.listReleases({ query: { gateID: gate.id } })).data[0]?.status;
  await expect.poll(status, { timeout: CHECK_TIMEOUT_MS }).toBe("PAUSED");

  await page.goto(`/projects/${projectID}/gates/${gate.id}`);
  const paused = page.getByRole("note").filter({ hasText: "Guardrails paused this release" });
  await expect(paused).toContainText(`The value of ${metric} over the last 30 days is 0, which is greater than the alert threshold of -1.`);
  await expect(notice(page)).toContainText(/Paused with .+ left in “Staff”\./);
  await expectAccessible(page);
  await notice(page).getByRole("button", { name: "Resume" }).click();
  await confirm(page, "Resume release?", "The breached guardrails won’t pause this phase again.", "Resume");
  await expect(paused).toHaveCount(0);
  await expect(page.getByRole("note").filter({ hasText: "Someone resumed this release" })).toContainText("before the release was resumed");
  await expect(notice(page)).toContainText("“Partners” begins");
});
