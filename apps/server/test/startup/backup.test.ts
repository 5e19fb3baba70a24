import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { lockFolder } from "../../src/store/database/folder-lock.ts";
import { needs } from "../support/needs.ts";
import { run, start, startReady, temporaryFolder } from "../support/process.ts";
import { waitFor } from "../support/wait-for.ts";

const KEY = "console-0123456789abcdef";
const HEADERS = { "SERVICE-API-KEY": KEY, "Content-Type": "application/json" };

describe("gatehouse backup", needs.embedded, () => {
  const folder = temporaryFolder();
  const env = { GATEHOUSE_DATA_DIR: join(folder.path, "data"), GATEHOUSE_CONSOLE_KEY: KEY, GATEHOUSE_WRITE_LIMIT: "off" };
  let server: Awaited<ReturnType<typeof startReady>>;
  beforeAll(async () => {
    server = await startReady(env);
  });
  afterEach(() => expect(readdirSync(folder.path).filter((name) => name.endsWith(".unfinished"))).toEqual([]));
  afterAll(() => {
    server.child.kill("SIGKILL");
    folder.remove();
  });

  const backUp = (file: string, settings: Record<string, string> = env) =>
    start("cli/main.js", settings, ["backup", join(folder.path, file)]).ended;
  const createGate = async (url: string, name: string) =>
    (await fetch(`${url}/console/v1/gates`, { method: "POST", headers: HEADERS, body: JSON.stringify({ name }) })).status;
  const readGate = async (url: string, id: string) => (await fetch(`${url}/console/v1/gates/${id}`, { headers: HEADERS })).status;

  /** Unpacks a backup and starts a server with it. */
  async function restore(file: string) {
    const dataDir = join(folder.path, `restored-${file}`);
    mkdirSync(dataDir);
    expect((await run("tar", ["-xzf", join(folder.path, file), "-C", dataDir]).ended).code).toBe(0);
    return startReady({ ...env, GATEHOUSE_DATA_DIR: dataDir });
  }

  test("has everything acknowledged before it began, while the server goes on writing", async () => {
    const created: string[] = [];
    let isOver = false;
    const writing = (async () => {
      for (let count = 0; !isOver; count++) {
        expect(await createGate(server.url, `gate_${count}`)).toBe(201);
        created.push(`gate_${count}`);
      }
    })();
    await waitFor(() => expect(created.length).toBeGreaterThan(20));
    const before = [...created];
    const file = "running.tar.gz";
    expect(await backUp(file)).toEqual({
      code: 0,
      stdout: "",
      stderr: `The backup is in ${join(folder.path, file)}. To restore it, unpack it into an empty GATEHOUSE_DATA_DIR and start the server.\n`,
    });
    isOver = true;
    await writing;
    expect(created.length).toBeGreaterThan(before.length);
    expect(statSync(join(folder.path, file)).mode & 0o777).toBe(0o600);
    const restored = await restore(file);
    for (const id of before) expect([id, await readGate(restored.url, id)]).toEqual([id, 200]);
    expect(await createGate(restored.url, "created_later")).toBe(201);
    expect((await restored.stop()).code).toBe(0);
  });

  test("replaces no file", async () => {
    writeFileSync(join(folder.path, "kept.tar.gz"), "kept");
    expect(await backUp("kept.tar.gz")).toEqual({ code: 1, stdout: "", stderr: `The file ${join(folder.path, "kept.tar.gz")} exists.\n` });
  });

  test("works while no server runs", async () => {
    expect(await createGate(server.url, "last")).toBe(201);
    await server.stop();
    expect((await backUp("stopped.tar.gz")).code).toBe(0);
    const restored = await restore("stopped.tar.gz");
    expect(await readGate(restored.url, "last")).toBe(200);
    await restored.stop();
  });

  test("leaves no file if the server ends before the backup is complete, or cannot make it", async () => {
    async function* unfinished() {
      yield Buffer.from("the beginning");
    }
    // biome-ignore lint/correctness/useYield: it fails before its first data
    async function* failing(): AsyncGenerator<Buffer> {
      throw new Error("The disk is full.");
    }
    for (const [backup, reason] of [
      [unfinished, "the server ended before the backup was complete."],
      [failing, "The disk is full."],
    ] as const) {
      const unlock = await lockFolder(env.GATEHOUSE_DATA_DIR, { backup });
      expect(await backUp("none.tar.gz")).toEqual({ code: 1, stdout: "", stderr: `The backup failed: ${reason}\n` });
      await unlock();
    }
    expect(existsSync(join(folder.path, "none.tar.gz"))).toBe(false);
  });

  test("names pg_dump for a Postgres, and a data folder without a database", async () => {
    expect((await backUp("none.tar.gz", { DATABASE_URL: "postgres://127.0.0.1/gatehouse" })).stderr).toBe(
      "The database is a Postgres at DATABASE_URL. Back it up with pg_dump.\n",
    );
    const absent = join(folder.path, "absent");
    expect((await backUp("none.tar.gz", { GATEHOUSE_DATA_DIR: absent })).stderr).toBe(`The data folder ${absent} has no database.\n`);
  });
});
