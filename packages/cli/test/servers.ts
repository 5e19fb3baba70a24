import { type ChildProcess, type ChildProcessWithoutNullStreams, execFile, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createConsoleClient } from "@gatehouse/client";

const serverMain = fileURLToPath(new URL("../../../apps/server/dist/main.js", import.meta.url));
const cliMain = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/** The person who administers each server. */
export const ADMINISTRATOR = { email: "ada@example.com", password: "correct horse battery staple" };

/** The token of each server's identity provider. */
export const SCIM_TOKEN = "a-token-of-the-identity-provider-0123456789";

/** Starts a server with an empty project in another process. @param path of its URL */
export async function startServer(path = "") {
  const { DATABASE_URL: _, GATEHOUSE_CONSOLE_KEY: __, GATEHOUSE_KEY: ___, GATEHOUSE_URL: ____, ...env } = process.env;
  const child: ChildProcess = spawn(process.execPath, [serverMain], {
    env: {
      ...env,
      PORT: "0",
      GATEHOUSE_DATA_DIR: "memory",
      LOG_LEVEL: "silent",
      GATEHOUSE_ADMIN_EMAIL: ADMINISTRATOR.email,
      GATEHOUSE_ADMIN_PASSWORD: ADMINISTRATOR.password,
      GATEHOUSE_SCIM_TOKENS: SCIM_TOKEN,
      ...(path !== "" && { GATEHOUSE_PUBLIC_URL: `http://127.0.0.1${path}` }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { url, key } = await new Promise<{ url: string; key: string }>((resolve, reject) => {
    let output = "";
    const read = (chunk: Buffer) => {
      output += chunk;
      const [, address] = /ready at (http:\S+)/.exec(output) ?? [];
      const [, secret] = /\b(console-\w+)\s/.exec(output) ?? [];
      if (address && secret) resolve({ url: address + path, key: secret });
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", (code) => reject(new Error(`The server ended with ${code}:\n${output}`)));
  });
  return { url, key, client: createConsoleClient({ baseUrl: url, apiKey: key }), stop: () => child.kill() };
}

export type Run = { code: number; stdout: string; stderr: string };

/** Creates a folder for commands, with its own profiles. */
export function createWorkspace() {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-cli-"));
  return {
    folder,
    /** Runs the built command with these arguments. */
    gatehouse(args: string[], env: Record<string, string> = {}, input = ""): Promise<Run> {
      return new Promise((resolve) => {
        const options = {
          cwd: folder,
          env: { PATH: process.env.PATH, XDG_CONFIG_HOME: join(folder, "config"), ...env },
          encoding: "utf8" as const,
        };
        const child = execFile(process.execPath, [cliMain, ...args], options, (error, stdout, stderr) => {
          resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
        });
        child.stdin?.end(input);
      });
    },
    /** Starts the built command, and leaves it running. */
    start(args: string[], env: Record<string, string> = {}): ChildProcessWithoutNullStreams {
      return spawn(process.execPath, [cliMain, ...args], { cwd: folder, env: { PATH: process.env.PATH, ...env } });
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
