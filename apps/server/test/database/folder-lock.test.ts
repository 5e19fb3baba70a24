import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FolderInUse, lockFolder } from "../../src/store/database/folder-lock.ts";
import { run, temporaryFolder } from "../support/process.ts";

describe("lockFolder", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  /** The lock file that a killed process leaves behind. */
  async function leaveOver() {
    const path = join(folder.path, "lock");
    const script = `require("node:net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, "SIGKILL"))`;
    await run(process.execPath, ["-e", script]).ended;
    expect(existsSync(path)).toBe(true);
  }

  async function lockTenTimes() {
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => lockFolder(folder.path)));
    const held = results.flatMap((result) => (result.status === "fulfilled" ? result.value : []));
    const reasons = results.flatMap((result) => (result.status === "rejected" ? result.reason : []));
    expect([held.length, reasons.every((reason) => reason instanceof FolderInUse)]).toEqual([1, true]);
    await held[0]?.();
  }

  test("locks the folder for exactly one of several concurrent callers", lockTenTimes);

  test("takes over a killed process's lock for exactly one of several concurrent callers", async () => {
    await leaveOver();
    await lockTenTimes();
  });

  test("locks the folder again after it was released", async () => {
    await (await lockFolder(folder.path))();
    await (await lockFolder(folder.path))();
    expect(existsSync(join(folder.path, "lock"))).toBe(false);
  });

  test("says why the folder cannot be locked", async () => {
    await expect(lockFolder(join(folder.path, "absent"))).rejects.toThrow(/^The data folder \S*absent cannot be used: listen E\w+/);
  });
});
