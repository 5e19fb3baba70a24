import workerURL from "./check-worker.ts?worker&url";
import type { CheckWorker } from "./checker.ts";

type ScriptURLPolicy = { createScriptURL(url: string): string };
type TrustedTypes = { createPolicy(name: string, rules: ScriptURLPolicy): ScriptURLPolicy };

declare global {
  // Chromium has it, and requires it where the content security policy says so.
  var trustedTypes: TrustedTypes | undefined;
}

let policy: ScriptURLPolicy | undefined;

/** @throws TypeError if the content security policy does not name `gatehouse-editor` among its trusted types */
export function startWorker(): CheckWorker {
  // Permits the URL of one file of the console, and no other.
  policy ??= globalThis.trustedTypes?.createPolicy("gatehouse-editor", {
    createScriptURL(url) {
      if (url !== workerURL) throw new TypeError(`${url} is no worker of the editor.`);
      return url;
    },
  });
  return new Worker(policy === undefined ? workerURL : policy.createScriptURL(workerURL), { type: "module", name: "editor-check" });
}
