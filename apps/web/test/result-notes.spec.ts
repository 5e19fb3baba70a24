import { readFile } from "node:fs/promises";
import { expectAccessible } from "./support/accessibility.ts";
import { signedInAs } from "./support/people.ts";
import { sold, unfold } from "./support/results.ts";
import { expect, test } from "./support/test.ts";

test("a note on results marks the charts, and is listed, printed, saved as CSV, changed and deleted", async ({
  api,
  page,
  openBrowser,
  viewer,
  allowFault,
}) => {
  const { id, revenue } = await sold(api);
  await api.startExperimentPulseLoad({ path: { id }, body: {} });
  const address = `experiments/${id}?tab=results`;
  await page.goto(address);
  await expect(page.getByText(`Green raised ${revenue} by`)).toBeVisible();
  const section = page.getByRole("region", { name: "Notes" });
  await expect(section).toContainText("No notes yet.");
  await section.getByRole("button", { name: "Add note" }).click();
  const dialog = page.getByRole("dialog", { name: "Add note" });
  const save = dialog.getByRole("button", { name: "Save note" });
  await expect(save).toHaveAttribute("aria-disabled", "true");
  await dialog.getByLabel("Note", { exact: true }).fill("Marketing campaign began");
  await expectAccessible(page);
  await save.click();
  const note = section.getByRole("listitem");
  await expect(note).toContainText("Marketing campaign began");
  await unfold(page, "Over time");
  const days = page.getByRole("slider", { name: `Change of ${revenue} from the start to the end of each day, by day` });
  await days.press("End");
  await expect(days).toHaveAttribute("aria-valuetext", /Note: Marketing campaign began \(.+\)/);
  await expectAccessible(page);

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    section.getByRole("button", { name: "Download CSV of notes" }).click(),
  ]);
  expect(await readFile(await download.path(), "utf8")).toMatch(/^time,note,author,created_time\r\n[\dTZ:.-]+,Marketing campaign began,/);
  await page.emulateMedia({ media: "print" });
  await expect(note).toBeVisible();
  await expect(section.getByRole("button")).toHaveCount(0);
  await page.emulateMedia({ media: "screen" });

  const reader = await openBrowser(signedInAs(viewer));
  await reader.goto(address);
  const shown = reader.getByRole("region", { name: "Notes" });
  await expect(shown.getByRole("listitem")).toContainText("Marketing campaign began");
  await expect(shown.getByRole("button", { name: "Add note" })).toHaveAttribute("aria-disabled", "true");

  await note.getByRole("button", { name: "Edit" }).click();
  const edit = page.getByRole("dialog", { name: "Edit note" });
  await edit.getByLabel("Note", { exact: true }).fill("Campaign in Europe");
  await edit.getByLabel("When").fill("2025-01-02T03:04");
  const { data: notes } = await api.listResultNotes({ query: { type: "experiment", id } });
  await api.patchResultNote({ path: { id: notes[0]?.id ?? "" }, body: { text: "Campaign in Asia" } });
  allowFault(/^412: PATCH \/console\/v1\/result_notes\//);
  await edit.getByRole("button", { name: "Save note" }).click();
  await expect(edit.getByRole("alert")).toContainText("saved other changes: “Campaign in Asia”");
  await edit.getByRole("button", { name: "Save note" }).click();
  await expect(note).toContainText("Campaign in Europe");
  const list = async () => (await api.listResultNotes({ query: { type: "experiment", id } })).data;
  expect(await list()).toMatchObject([{ text: "Campaign in Europe", time: new Date("2025-01-02T03:04").getTime(), version: 3 }]);
  // It is before the first day of the chart.
  await expect(days).not.toHaveAttribute("aria-valuetext", /Note:/);
  await note.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog", { name: "Delete note" }).getByRole("button", { name: "Delete" }).click();
  await expect(section).toContainText("No notes yet.");
  expect(await list()).toEqual([]);
});
