#!/usr/bin/env node
import { CommanderError } from "commander";
import { EXIT } from "./cli-error.ts";
import { explain } from "./failure.ts";
import { createProgram } from "./program.ts";

const program = createProgram();
// Readers such as `head` may stop early.
process.stdout.on("error", (error: { code?: string }) => {
  if (error.code === "EPIPE") process.exit(EXIT.ok);
  throw error;
});
try {
  await program.parseAsync();
} catch (error) {
  // Commander has shown its own errors. Help and the version end with 0.
  process.exitCode = error instanceof CommanderError ? error.exitCode : explain(error, { json: program.opts().json });
}
