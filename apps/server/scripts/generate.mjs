// The Prisma client from prisma/schema/.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const prisma = fileURLToPath(new URL("../node_modules/prisma/build/index.js", import.meta.url));

execFileSync(process.execPath, [prisma, "generate", "--no-hints"], {
  cwd: fileURLToPath(new URL("..", import.meta.url)),
  // The CLI downloads a native schema engine before every command unless it is given the path of one; `generate` never runs it.
  env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: "true" },
  stdio: ["ignore", "ignore", "inherit"],
});
