import { existsSync, readFileSync } from "node:fs";

const folder = new URL("../../../../../shared/data/statsig/", import.meta.url);

/** Rulesets and answers of other implementations stand beside the repository, not in it. */
export const hasSharedData = existsSync(folder);

/** Told in titles, so that a run shows why a test was skipped. */
export const needsSharedData = hasSharedData ? "" : " (skipped: ../shared/data is not there)";

export function sharedText(name: string): string {
  return readFileSync(new URL(name, folder), "utf8");
}

// biome-ignore lint/suspicious/noExplicitAny: what is read is data of any shape.
export function sharedJSON(name: string): any {
  return JSON.parse(sharedText(name));
}
