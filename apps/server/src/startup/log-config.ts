import type { Setting } from "./oidc-config.ts";

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
const LOG_FORMATS = ["auto", "json", "text"] as const;

export type LogConfig = {
  logLevel: (typeof LOG_LEVELS)[number];
  /** `auto` means text in a terminal, and JSON elsewhere. */
  logFormat: (typeof LOG_FORMATS)[number];
};

export function readLog(setting: Setting): LogConfig {
  return {
    logLevel: setting("LOG_LEVEL", "info", (text) => LOG_LEVELS.find((level) => level === text), `one of ${LOG_LEVELS.join(", ")}`),
    logFormat: setting("LOG_FORMAT", "auto", (text) => LOG_FORMATS.find((format) => format === text), `one of ${LOG_FORMATS.join(", ")}`),
  };
}
