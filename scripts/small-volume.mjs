// A small file system that can be filled, in memory.
import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Mounts a volume. Undefined if this process may not mount.
 * @param {number} megabytes
 * @param {{ uid: number, gid: number }} [owner]
 */
export function mountSmallVolume(megabytes, owner) {
  const mountPoint = mkdtempSync(join(tmpdir(), "gatehouse-volume-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tmpfs", mountPoint], { stdio: "ignore" });
  } catch {
    rmSync(mountPoint, { recursive: true });
    return undefined;
  }
  if (owner) chownSync(mountPoint, owner.uid, owner.gid);
  const ballast = join(mountPoint, "ballast");
  return {
    path: mountPoint,
    /** Fills the volume, except for the given free space in megabytes. */
    fill(left = 0) {
      const isFilled = () => {
        const { bavail, bsize } = statfsSync(mountPoint);
        return left > 0 && bavail * bsize <= left * 2 ** 20;
      };
      for (const size of [2 ** 20, 2 ** 12]) {
        try {
          while (!isFilled()) writeFileSync(ballast, Buffer.alloc(size), { flag: "a" });
        } catch (error) {
          if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ENOSPC") throw error;
        }
      }
    },
    /** Gives the room back. */
    empty: () => rmSync(ballast, { force: true }),
    remove() {
      execFileSync("umount", [mountPoint]);
      rmSync(mountPoint, { recursive: true });
    },
  };
}
