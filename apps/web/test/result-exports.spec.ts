import { readFile } from "node:fs/promises";
import type { Download, Page } from "@playwright/test";
import { sold, unfold } from "./support/results.ts";
import { expect, test } from "./support/test.ts";

const download = async (page: Page, name: string | RegExp): Promise<Download> =>
  (await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name, exact: true }).click()]))[0];

const contents = async (file: Download) => readFile(await file.path());

/** The size of a picture in pixels, and how many colors it has. */
const describePicture = (page: Page, png: Buffer) =>
  page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context?.drawImage(image, 0, 0);
    const { data } = context?.getImageData(0, 0, image.width, image.height) ?? { data: [] };
    return { width: image.width, colors: new Set(new Uint32Array((data as Uint8ClampedArray).buffer)).size };
  }, png.toString("base64"));

test("results are shared as a link, a table, a picture and on paper, and charts as pictures with the changes behind them", async ({
  api,
  context,
  page,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { id, revenue } = await sold(api);
  await api.startExperimentPulseLoad({ path: { id }, body: {} });
  await page.goto(`experiments/${id}?tab=results`);
  const table = page.getByRole("table", { name: "Scorecard" });
  await expect(table).toContainText("Better");

  await page.getByRole("button", { name: "Copy link" }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(page.url());

  const csv = await download(page, "Download CSV");
  expect(csv.suggestedFilename()).toMatch(new RegExp(`^scorecard_${id}_\\d{4}-\\d\\d-\\d\\d\\.csv$`));
  expect((await contents(csv)).toString()).toContain(revenue);

  const { width = 0 } = (await table.boundingBox()) ?? {};
  const png = await download(page, "Download PNG");
  expect(png.suggestedFilename()).toMatch(new RegExp(`^scorecard_${id}_\\d{4}_\\d\\d_\\d\\d\\.png$`));
  const picture = await describePicture(page, await contents(png));
  expect(picture.width).toBe(Math.ceil(2 * (width + 32)));
  expect(picture.colors).toBeGreaterThan(50);

  await unfold(page, "Over time");
  const title = `Change of ${revenue} from the start to the end of each day`;
  await expect(page.getByRole("slider", { name: `${title}, by day` })).toHaveAttribute("aria-valuetext", /\. Started$/);
  const chart = await describePicture(page, await contents(await download(page, `Download PNG of ${title}`)));
  expect(chart.colors).toBeGreaterThan(10);

  await page.emulateMedia({ media: "print" });
  await expect(table).toBeVisible();
  await expect(page.getByRole("slider", { name: `${title}, by day` })).toBeHidden();
});
