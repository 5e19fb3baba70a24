import { expectAccessible } from "./support/accessibility.ts";
import { choose, find, newGate, type Rule, readGate, reviewAndSave, rule, saveBar } from "./support/gates.ts";
import { NIGHT } from "./support/night.ts";
import { invitePerson, newProject, signedInAs, unique } from "./support/people.ts";
import { consoleApi } from "./support/server.ts";
import { expect, test } from "./support/test.ts";

const DAY_MS = 86_400_000;

/** A project whose environments all require reviews, with a member and a reviewer, and a gate with one rule. */
async function reviewedProject({ role = "Member", ...given }: Partial<Rule> & { role?: string } = {}) {
  const project = await newProject();
  const { environments } = (await project.api.getEnvironments()).data;
  const author = await invitePerson(project, "Member", "Ada Author");
  const reviewer = await invitePerson(project, role, "Rosa Reviewer");
  const gate = await newGate(project.api, { name: unique("New checkout "), rules: [rule("Everyone", { passPercentage: 10, ...given })] });
  await project.api.updateEnvironments({ body: { environments: environments.map((one) => ({ ...one, requiresReview: true })) } });
  const passPercentage = async () => (await readGate(project.api, gate.id)).rules[0]?.passPercentage;
  return { ...project, author, reviewer, gate, passPercentage };
}

test("a member's save that needs a review changes nothing until an admin approves what it still does and the member publishes it", async ({
  openBrowser,
  expectFault,
}) => {
  const { projectID, api, author, reviewer, gate, passPercentage } = await reviewedProject({ role: "Admin" });
  const page = await openBrowser(signedInAs(author));
  await page.goto(`/projects/${projectID}/gates/${gate.id}`);
  await page.getByRole("button", { name: "Edit Everyone" }).click();
  await page.getByLabel("Pass percentage").fill("50");
  await page.keyboard.press("Enter");
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  const dialog = page.getByRole("dialog", { name: /^Review changes/ });
  await expect(dialog.getByRole("note").first()).toContainText(
    "Changes to what users get in development, staging, and production need a review. " +
      "Anyone whose role can approve changes can approve this one. You can’t approve your own change.",
  );
  await expect(dialog.getByRole("button", { name: /without review/ })).toHaveCount(0);
  await expect(dialog.getByRole("button", { name: /When$/ })).toHaveText("As soon as it’s published");
  await dialog.getByRole("textbox", { name: /^Reason/ }).fill("The sale begins.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Request review" }).click();
  const requested = page.getByRole("dialog", { name: "Review requested" });
  await expect(requested).toContainText("Your change isn’t live yet.");
  await expectAccessible(page);
  await requested.getByRole("button", { name: "Close", exact: true }).last().click();
  await expect(saveBar(page)).toBeHidden();
  expect(await passPercentage()).toBe(10);

  await page.goto(`/projects/${projectID}/reviews`);
  await page.getByRole("tab", { name: "Yours" }).click();
  await page.getByRole("link", { name: `Change to gate ${gate.name}` }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Change to gate ${gate.name}`);
  await expect(page.getByRole("region", { name: "Changes" })).toContainText("0% → 50%");
  await expect(page.getByRole("button", { name: "Approve" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Reject" })).toHaveCount(0);
  await page.getByLabel("Comment").fill("Is the page translated?");
  await page.getByRole("button", { name: "Add comment" }).click();
  await expect(page.getByRole("list", { name: "Discussion" })).toContainText("Is the page translated?");

  const theirs = await openBrowser(signedInAs(reviewer));
  await theirs.goto(`/projects/${projectID}/reviews?tab=own`);
  await expect(theirs.getByRole("main")).toContainText("You have no open reviews");
  await theirs.goto(`/projects/${projectID}`);
  await theirs
    .getByRole("region", { name: "Needs your review" })
    .getByRole("link", { name: `Change to gate ${gate.name}` })
    .click();
  await expect(theirs.getByRole("main")).toContainText("Reason: The sale begins.");
  await expectAccessible(theirs);
  await theirs.getByRole("button", { name: "Approve" }).click();
  await theirs.getByRole("dialog").getByRole("textbox").fill("Looks good.");
  await theirs.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
  await expect(theirs.getByRole("main")).toContainText("The change is approved.");
  await expect(theirs.getByRole("button", { name: "Approve" })).toHaveCount(0);
  expect(await passPercentage()).toBe(10);
  await expect(theirs.getByRole("region", { name: "Required approvals" })).toContainText("Approved by Rosa Reviewer.");

  await expect(page.getByRole("list", { name: "Discussion" })).toContainText("Looks good.");
  expectFault(/^409: POST .*commit$/);
  const rules = gate.rules.map((one) => ({ ...one, passPercentage: 20 }));
  await api.patchGate({ path: { id: gate.id }, body: { rules }, query: { bypassReview: true, reason: "The shop is slow." } });
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("dialog", { name: "Publish change?" })).toContainText("It takes effect now.");
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  const moved = `The change would no longer have the effect that was approved: the gate ${gate.id} is at version 2, not 1.`;
  await expect(page.getByRole("dialog")).toContainText(moved);
  await page.getByRole("dialog").getByRole("button", { name: "Back" }).click();
  const notice = page.getByRole("main").getByRole("note").filter({ hasText: "The change needs approval again" });
  await expect(notice).toContainText(moved);
  await theirs.getByRole("button", { name: "Approve" }).click();
  await theirs.getByRole("dialog").getByRole("button", { name: "Approve" }).click();
  await expect(notice).toBeHidden();
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("main")).toContainText("Published");
  expect(await passPercentage()).toBe(50);
});

test("a rejection with a note ends the review, and someone who can't approve sees the rollout, but no buttons for it", async ({
  openBrowser,
}) => {
  const step = { time: Date.now() + DAY_MS, passPercent: 30 };
  const reviewed = await reviewedProject({ pendingAutomatedRollouts: [step] });
  const { projectID, author, reviewer, gate, passPercentage } = reviewed;
  const viewer = await invitePerson(reviewed, "Viewer", "Vera Viewer");
  const rules = gate.rules.map((one) => ({ ...one, pendingAutomatedRollouts: [step, { time: step.time + DAY_MS, passPercent: 80 }] }));
  await expect(author.api.patchGate({ path: { id: gate.id }, body: { rules } })).rejects.toThrow();
  const { data: reviews } = await reviewed.api.listReviews({ query: { open: true } });
  const id = reviews[0]?.id ?? "";

  const page = await openBrowser(signedInAs(viewer));
  await page.goto(`/projects/${projectID}/reviews?tab=all`);
  await expectAccessible(page);
  await page.goto(`/projects/${projectID}/reviews/${id}`);
  await expect(page.getByRole("heading", { name: "Required approvals" })).toBeVisible();
  const changes = page.getByRole("article", { name: `Changes to ${gate.id}` });
  await expect(changes.getByRole("figure", { name: "Current rollout of Everyone" })).toContainText("10% now, 0 steps done, 1 to come.");
  await expect(changes.getByRole("figure", { name: "Proposed rollout of Everyone" })).toContainText("10% now, 0 steps done, 2 to come.");
  await expectAccessible(page);
  for (const name of ["Approve", "Reject", "Publish", "Cancel review", "Revise"])
    await expect(page.getByRole("button", { name, exact: true })).toHaveCount(0);

  const theirs = await openBrowser(signedInAs(reviewer));
  await theirs.goto(`/projects/${projectID}/reviews/${id}`);
  await theirs.getByRole("button", { name: "Reject" }).click();
  await theirs.getByRole("dialog").getByRole("textbox").fill("The sale begins on Monday.");
  await theirs.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
  await expect(theirs.getByRole("main").getByRole("alert")).toContainText("The sale begins on Monday.");
  await expect(theirs.getByRole("figure")).toHaveCount(0);
  expect((await author.api.getReview({ path: { id } })).data).toMatchObject({
    status: "REJECTED",
    approvals: [{ isApproved: false, note: "The sale begins on Monday." }],
  });
  expect(await passPercentage()).toBe(10);
});

test("a failed validation is shown with its reason and links, and keeps an approved change from being published", async ({
  openBrowser,
}) => {
  const { projectID, api, key, author, reviewer, gate } = await reviewedProject();
  const { is_config_review_required, is_metric_review_required, is_metric_review_required_on_verified_only } = (await api.getSettings())
    .data;
  const required = { is_config_review_required, is_metric_review_required, is_metric_review_required_on_verified_only };
  await api.updateReviewSettings({ body: { ...required, change_validation_url: "http://127.0.0.1:9/validate" } });
  const rules = gate.rules.map((one) => ({ ...one, passPercentage: 50 }));
  await expect(author.api.patchGate({ path: { id: gate.id }, body: { rules } })).rejects.toThrow();
  const [review] = (await api.listReviews({ query: { open: true } })).data;
  const reviewID = review?.id ?? "";
  await reviewer.api.approveReview({ path: { id: reviewID } });
  const debugLinks = [{ title: "Build 7", url: "https://ci.example.com/7" }];
  await consoleApi(key).validateChange({ body: { reviewID, validated: false, message: "Two tests fail.", debugLinks } });

  const page = await openBrowser(signedInAs(author));
  await page.goto(`/projects/${projectID}/reviews/${reviewID}`);
  await expect(page.getByRole("note").first()).toHaveText(
    "The change is approved. It can’t be published because its validation failed. Revise it to validate it again.",
  );
  const validation = page.getByRole("region", { name: "Validation" });
  await expect(validation).toContainText("Failed Two tests fail.");
  await expect(validation.getByRole("link", { name: "Build 7" })).toHaveAttribute("href", "https://ci.example.com/7");
  await expect(page.getByRole("button", { name: "Publish" })).toHaveAttribute("aria-disabled", "true");
  await expectAccessible(page);
});

test("a person with the permission saves without a review, once they enter a reason", async ({ page }) => {
  const { projectID, api, gate } = await reviewedProject();
  await page.goto(`/projects/${projectID}/gates/${gate.id}`);
  await page.getByText("Enabled", { exact: true }).click();
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  const dialog = page.getByRole("dialog", { name: /^Review changes/ });
  const bypass = dialog.getByRole("button", { name: "Save without review" });
  await expect(bypass).toHaveAttribute("aria-disabled", "true");
  await dialog.getByRole("textbox", { name: /^Reason/ }).fill("The checkout fails.");
  await bypass.click();
  await expect(saveBar(page)).toBeHidden();
  expect((await readGate(api, gate.id)).isEnabled).toBe(false);
  const { data } = await api.listChanges({ query: { entityType: "gate", entityID: gate.id, limit: 1 } });
  expect(data[0]?.reason).toBe("Without a review: The checkout fails.");
  expect((await api.listReviews()).data).toEqual([]);
});

test("an environment, a team, the project and a gate ask for reviews, the environment also for releases, and a save that eases a rule needs a review", async ({
  page,
}) => {
  const { projectID, api } = await newProject();
  const team = (await api.createTeam({ body: { name: "Release" } })).data;
  const gate = await newGate(api, {});
  await page.goto(`/projects/${projectID}/gates/${gate.id}?tab=details`);
  await page.getByRole("checkbox", { name: "Changes to what users get need a review" }).check({ force: true });
  await find(page, page.getByRole("combobox", { name: "Add a reviewer" }), "Ada Lovelace");
  await expectAccessible(page);
  await reviewAndSave(page);
  expect((await readGate(api, gate.id)).reviewSettings).toMatchObject({
    requiredReview: true,
    allowedReviewers: [{ name: "Ada Lovelace" }],
  });

  await page.goto(`/projects/${projectID}/teams/${team.id}`);
  await choose(page, page.getByRole("button", { name: /from the team’s entities$/ }), "Need a review");
  await choose(page, page.getByRole("button", { name: /Who can approve$/ }), "The team’s admins");
  await reviewAndSave(page);
  expect((await api.getTeam({ path: { id: team.id } })).data).toMatchObject({ requireReviews: true, reviewApproval: "admin_only" });

  await page.goto(`/projects/${projectID}/settings?tab=reviews`);
  await page.getByRole("checkbox", { name: "Changes to what metrics measure" }).check({ force: true });
  await expectAccessible(page);
  await page.getByRole("tab", { name: "Environments" }).click();
  const production = page.getByRole("group", { name: "production" });
  await production.getByRole("checkbox", { name: "Changes need a review" }).check({ force: true });
  await production.getByRole("checkbox", { name: "Changes need a release pipeline" }).check({ force: true });
  await choose(page, production.getByRole("button", { name: /Who approves changes in production$/ }), "The team Release");
  await expectAccessible(page);
  await reviewAndSave(page);
  const environment = async () => (await api.getEnvironments()).data.environments.find(({ name }) => name === "production");
  expect(await environment()).toMatchObject({ requiresReview: true, requiresReleasePipeline: true, requiredReviewGroupID: team.id });
  expect((await api.getSettings()).data).toMatchObject({ is_metric_review_required: true, is_config_review_required: false });

  await production.getByRole("checkbox", { name: "Changes need a review" }).uncheck({ force: true });
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  const dialog = page.getByRole("dialog", { name: /^Review changes/ });
  await expect(dialog.getByRole("note").first()).toContainText("This change loosens a review requirement (production).");
  await dialog.getByRole("button", { name: "Request review" }).click();
  await page.getByRole("dialog", { name: "Review requested" }).getByRole("button", { name: "View review" }).click();
  await expect(page.getByRole("region", { name: "Required approvals" })).toContainText(
    "This change loosens a review requirement (production).",
  );
  expect(await environment()).toMatchObject({ requiresReview: true });
});

test("a bulk action becomes a review, which its author revises and cancels", { tag: NIGHT }, async ({ openBrowser }) => {
  const { projectID, author, reviewer, gate, api } = await reviewedProject();
  const page = await openBrowser(signedInAs(author));
  await page.goto(`/projects/${projectID}/gates`);
  await page.getByRole("checkbox", { name: "Select All" }).click({ force: true });
  await page.getByRole("region", { name: "Selected gates" }).getByRole("button", { name: "Archive" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Request review" }).click();
  await page.getByRole("dialog", { name: "Review requested" }).getByRole("button", { name: "View review" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Change to gate ${gate.name}`);
  expect((await readGate(api, gate.id)).status).toBe("In Progress");

  const [review] = (await api.listReviews()).data;
  const id = review?.id ?? "";
  await reviewer.api.approveReview({ path: { id }, body: {} });
  await expect(page.getByRole("main")).toContainText("The change is approved.");
  await page.getByRole("button", { name: "Revise" }).click();
  const dialog = page.getByRole("dialog", { name: "Revise change" });
  const request = dialog.getByRole("textbox", { name: "Request" });
  await request.fill("{");
  await expect(dialog).toContainText("Enter valid JSON.");
  await request.fill(JSON.stringify({ requests: [{ operationId: "disableGate", path: { id: gate.id } }] }));
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Save revision" }).click();
  await expect(page.getByRole("main")).toContainText("Revision 2");
  await expect(page.getByRole("list", { name: "Discussion" })).toContainText("approved revision 1");
  expect((await api.getReview({ path: { id } })).data).toMatchObject({ status: "PENDING", revision: 2 });

  await page.getByRole("button", { name: "Cancel review" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel review" }).click();
  await expect(page.getByRole("main")).toContainText("Canceled");
  expect((await readGate(api, gate.id)).status).toBe("In Progress");
});
