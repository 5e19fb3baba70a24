import { readFileSync } from "node:fs";
import { fileError } from "../cli-error.ts";

/** The text of a file, or of the standard input for `-`. @throws CliError */
export function readText(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw fileError(file === "-" ? "The standard input" : file, error);
  }
}
