import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FolderInUse, lockFolder } from "../src/store/folder-lock.ts";
import { run, temporaryFolder } from "./support/process.ts";

describe("lockFolder", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  /** What a process that was killed leaves. */
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

  test("gives the folder to one of several that want it at once", lockTenTimes);

  test("gives the folder of a process that was killed to one of several that want it at once", async () => {
    await leaveOver();
    await lockTenTimes();
  });

  test("gives the folder again after it was let go", async () => {
    await (await lockFolder(folder.path))();
    await (await lockFolder(folder.path))();
    expect(existsSync(join(folder.path, "lock"))).toBe(false);
  });

  test("says what else is wrong with the folder", async () => {
    await expect(lockFolder(join(folder.path, "absent"))).rejects.toThrow(/^listen E\w+/);
  });
});
