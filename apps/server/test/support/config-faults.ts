import { ConfigError } from "../../src/common/config-error.ts";
import { readConfig } from "../../src/startup/config.ts";

/** Describes each fault of settings. */
export function faults(env: NodeJS.ProcessEnv): string[] {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
}
