// One self-contained page for each API: the reader's browser needs no network.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const redocly = fileURLToPath(import.meta.resolve("@redocly/cli/bin/cli.js"));
const contract = (api) => fileURLToPath(import.meta.resolve(`@gatehouse/contract/${api}.json`));

for (const api of ["console", "evaluation"]) {
  execFileSync(process.execPath, [redocly, "build-docs", contract(api), "--inlineBundle", "--output", `dist/${api}.html`], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
    stdio: ["ignore", "ignore", "inherit"],
  });
}
