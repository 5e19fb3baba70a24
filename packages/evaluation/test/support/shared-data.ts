import { existsSync, readFileSync } from "node:fs";

declare module "vitest" {
  interface TaskMeta {
    /** The requirement without which a test or suite is skipped. */
    needs?: string;
  }
}

const folder = new URL("../../../../../shared/data/statsig/", import.meta.url);

/** Rulesets and answers of other implementations stand beside the repository, not in it. */
export const hasSharedData = existsSync(folder);

/** Options of a suite that needs them. The last line of a run lists suites that were skipped without them. */
export const needsSharedData = { skip: !hasSharedData, meta: { needs: "../shared/data" } };

export function sharedText(name: string): string {
  return readFileSync(new URL(name, folder), "utf8");
}

// biome-ignore lint/suspicious/noExplicitAny: what is read is data of any shape.
export function sharedJSON(name: string): any {
  return JSON.parse(sharedText(name));
}
