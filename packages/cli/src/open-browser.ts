import { spawn } from "node:child_process";
import { environment } from "./environment.ts";

/** The program that opens a URL on a platform, with its arguments. Undefined where no browser can be shown. */
export function opener(url: string, platform: NodeJS.Platform, hasDisplay: boolean): readonly [string, ...string[]] | undefined {
  if (platform === "darwin") return ["open", url];
  // Unlike `start`, it takes no part of the URL for a command.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  return hasDisplay ? ["xdg-open", url] : undefined;
}

/** Opens a page in the person's browser, if there is one. People can always open it themselves, so failures are ignored. */
export function openBrowser(url: string): void {
  const [program, ...args] = opener(url, process.platform, environment.hasDisplay) ?? [];
  if (program === undefined) return;
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  child.once("error", () => {});
  child.unref();
}
