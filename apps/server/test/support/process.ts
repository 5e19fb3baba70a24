import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

type Ended = { code: number | null; stdout: string; stderr: string };

type StartedProcess = Omit<Ended, "code"> & {
  child: ChildProcess;
  /** Resolves when the output matches. Rejects if the process exits before. */
  prints(pattern: RegExp, stream?: "stdout" | "stderr"): Promise<RegExpMatchArray>;
  ended: Promise<Ended>;
};

const DIST = new URL("../../dist/", import.meta.url);

/** Runs the built server `main.js`, its command line `cli/main.js`, or `bin.js`, which has both and the relay, without the settings of the test's own process. */
export function start(script: "main.js" | "bin.js" | "cli/main.js", env: Record<string, string>, args: string[] = []): StartedProcess {
  return run(process.execPath, [fileURLToPath(new URL(script, DIST)), ...args], { HOST: "127.0.0.1", PORT: "0", ...env });
}

export function run(command: string, args: string[], env: Record<string, string> = {}): StartedProcess {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH, ...env },
    cwd: tmpdir(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const started: StartedProcess = {
    child,
    stdout: "",
    stderr: "",
    prints(pattern, stream = "stdout") {
      return new Promise((resolve, reject) => {
        const look = () => {
          const match = started[stream].match(pattern);
          if (match) resolve(match);
        };
        child[stream]?.on("data", look);
        child.once("close", () => reject(new Error(`The process ended without printing ${pattern}:\n${started.stdout}${started.stderr}`)));
        look();
      });
    },
    ended: once(child, "close").then(([code]) => {
      const { stdout, stderr } = started;
      return { code, stdout, stderr };
    }),
  };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream]?.on("data", (chunk: Buffer) => {
      started[stream] += chunk.toString();
    });
  }
  return started;
}

/** Starts a server and waits until it is ready. */
export async function startReady(env: Record<string, string>): Promise<StartedProcess & { url: string; stop(): Promise<Ended> }> {
  const server = start("main.js", env);
  const [, url = ""] = await server.prints(/Gatehouse is ready at (\S+)\n[\s\S]*curl .*\n/);
  return Object.assign(server, {
    url,
    stop: () => {
      server.child.kill("SIGTERM");
      return server.ended;
    },
  });
}

/** The message that the starts of an embedded database leave in its folder, since their output is not a terminal. */
export function keptWelcome(dataDir: string): string {
  const file = join(dataDir, "welcome");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** The key in the message of a first start. */
export function shownKey(welcome: string): string | undefined {
  return welcome.match(/Console key\s+(console-\w+)/)?.[1];
}

/** The curl command that a start prints. */
export function curlLine(output: string): string {
  return output.match(/^ *curl .*$/m)?.[0].trim() ?? "";
}

/** The largest memory that a running process has taken so far, MiB. Linux only. */
export function peakMemory({ pid }: ChildProcess): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kibibytes) / 1_024;
}

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "gatehouse-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
