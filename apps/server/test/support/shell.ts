import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { temporaryFolder } from "./process.ts";

type Shell = {
  /** Runs lines as if they were pasted. @returns their output, trimmed. @throws if the last command fails */
  paste(lines: string): Promise<string>;
  close(): Promise<void>;
};

/** Opens a shell in an empty folder. It keeps variables and files between calls of `paste`. */
export function openShell(env: Record<string, string>): Shell {
  const folder = temporaryFolder();
  const child = spawn("bash", ["-s"], { env: { PATH: process.env.PATH, ...env }, cwd: folder.path, stdio: "pipe" });
  const ended = once(child, "close");
  let printed = "";
  let failures = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    printed += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    failures += chunk;
  });
  return {
    paste(lines) {
      const mark = randomUUID();
      const end = new RegExp(`\\n${mark} (\\d+)\\n`);
      return new Promise((resolve, reject) => {
        const read = () => {
          const match = end.exec(printed);
          if (!match) return;
          child.stdout.off("data", read);
          const output = printed.slice(0, match.index).trim();
          printed = printed.slice(match.index + match[0].length);
          if (match[1] === "0") resolve(output);
          else reject(new Error(`The shell printed ${output} ${failures}`));
        };
        child.stdout.on("data", read);
        void ended.then(() => reject(new Error(`The shell ended: ${failures}`)));
        child.stdin.write(`${lines}\nprintf '\\n${mark} %s\\n' "$?"\n`);
      });
    },
    async close() {
      child.stdin.end();
      await ended;
      folder.remove();
    },
  };
}
