import { expectAccessible } from "./support/accessibility.ts";
import { newGate, readGate, reviewAndSave, rule, saveBar } from "./support/gates.ts";
import { invitePerson, newProject, signedInAs } from "./support/people.ts";
import { expect, test } from "./support/test.ts";

test("a role publishes in the chosen environments, and its people can only request a review of changes elsewhere", async ({
  openBrowser,
  allowFault,
}) => {
  allowFault(/^403: PUT \/console\/v1\/release_pipeline_triggers\/\w+\/rollout$/);
  const project = await newProject();
  const { projectID, api } = project;
  const { permissions } = (await api.getRole({ path: { id: "Member" } })).data;
  await api.createRole({ body: { name: "Developer", permissions: { ...permissions, edit_project_settings: false } } });
  const gate = await newGate(api, { rules: [rule("Everyone")] });
  const admin = await openBrowser(signedInAs(await invitePerson(project, "Admin", "Ada Admin")));
  await admin.goto(`/projects/${projectID}/roles/Developer`);
  const places = admin.getByRole("region", { name: "Publishes in" });
  await places.getByRole("checkbox", { name: "All environments" }).click({ force: true });
  for (const name of ["production", "staging"]) await places.getByRole("checkbox", { name }).click({ force: true });
  await expectAccessible(admin);
  await saveBar(admin).getByRole("button", { name: "Review" }).click();
  await expect(admin.getByRole("dialog", { name: /^Review/ })).toContainText("Publishes in: development");
  await admin
    .getByRole("dialog", { name: /^Review/ })
    .getByRole("button", { name: "Save" })
    .click();
  await expect(saveBar(admin)).toBeHidden();
  expect((await api.getRole({ path: { id: "Developer" } })).data.publishesIn).toEqual(["development"]);

  const page = await openBrowser(signedInAs(await invitePerson(project, "Developer", "Dora Developer")));
  await page.goto(`/projects/${projectID}/gates/${gate.id}`);
  const row = (name: string) => page.getByRole("table", { name: "Environments" }).getByRole("row").filter({ hasText: name });
  await expect(row("production")).toContainText("You can only request a review here.");
  await expect(row("development")).not.toContainText("You can only request a review here.");
  await page.getByRole("switch", { name: "On in development" }).click({ force: true });
  await expectAccessible(page);
  await reviewAndSave(page);
  expect((await readGate(api, gate.id)).disabledEnvironments).toEqual(["development"]);
  await page.getByRole("switch", { name: "On in production" }).click({ force: true });
  await saveBar(page).getByRole("button", { name: "Review" }).click();
  const dialog = page.getByRole("dialog", { name: /^Review changes/ });
  await expect(dialog.getByRole("note").first()).toContainText(
    "Your role can’t change what users get in production. Someone whose role can must approve this.",
  );
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Request review" }).click();
  await expect(page.getByRole("dialog", { name: "Review requested" })).toBeVisible();
  expect((await readGate(api, gate.id)).disabledEnvironments).toEqual(["development"]);

  const { data: pipeline } = await api.createReleasePipeline({
    body: { name: "Weekly", phases: [{ name: "First week", timeIntervalMs: 7 * 86_400_000, requiredReview: false, rules: [] }] },
  });
  const released = await newGate(api, { releasePipelineID: pipeline.id });
  await api.patchGate({ path: { id: released.id }, body: { rules: [rule("Everyone")] } });
  await page.goto(`/projects/${projectID}/gates/${released.id}`);
  await page.getByRole("button", { name: "Complete" }).click();
  const completing = page.getByRole("dialog", { name: "Complete release?" });
  await expect(completing).toContainText(
    "With the role Developer, you can only change what users get in development. This step will be refused if it changes other environments.",
  );
  await completing.getByRole("button", { name: "Complete" }).click();
  await expect(completing.getByRole("alert")).toContainText("production");

  await admin.goto(`/projects/${projectID}/reviews`);
  await admin.getByRole("link", { name: `Change to gate ${gate.name}` }).click();
  await expect(admin.getByRole("region", { name: "Required approvals" })).toContainText(
    "The author’s role can’t change what users get in production. Someone whose role can must approve this.",
  );
  await expect(admin.getByRole("button", { name: "Approve" })).toBeEnabled();
});
