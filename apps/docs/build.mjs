// One self-contained page for each API, whose reader needs no network, and an index of them for a static site.
import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const redocly = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
const contract = (api) => fileURLToPath(import.meta.resolve(`@gatehouse/contract/${api}.json`));

for (const api of ["console", "evaluation"]) {
  const output = ["--output", `dist/${api}.html`];
  quietly(["build-docs", contract(api), "--inlineBundle", "--config", "redocly.yaml", ...output]);
}
copyFileSync(new URL("index.html", import.meta.url), new URL("dist/index.html", import.meta.url));

/** What the tool says is shown only when it fails. */
function quietly(commandLine) {
  try {
    execFileSync(process.execPath, [redocly, ...commandLine], {
      cwd: fileURLToPath(new URL(".", import.meta.url)),
      env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch ({ stdout, stderr }) {
    process.stderr.write(`${stdout}${stderr}`);
    process.exit(1);
  }
}
