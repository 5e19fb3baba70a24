import { resolve } from "node:path";

type LogLevel = (typeof LOG_LEVELS)[number];

/** What a server is told from outside. Every setting has a default. */
export type Config = {
  port: number;
  host: string;
  /** A Postgres connection string. Undefined means the embedded database. */
  databaseUrl: string | undefined;
  /** Where the embedded database keeps its files: a folder, or `memory` for nowhere. */
  dataDir: string;
  /** The console key that the first start creates. Undefined means a random one. */
  consoleKey: string | undefined;
  logLevel: LogLevel;
  /** The origins whose pages may call the server. Empty means none. */
  corsOrigins: string[];
  /** How long events are kept, days from their arrival. */
  eventRetentionDays: number;
};

/** The settings are wrong; `faults` says each one. */
export class ConfigError extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(`The settings are not valid:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
    this.faults = faults;
  }
}

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
const CONSOLE_KEY = /^console-[A-Za-z0-9_-]{16,}$/;

/** Reads every setting and reports all faults at once. Relative folders count from where the command was given. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const faults: string[] = [];
  const setting = <T>(name: string, fallback: T, read: (text: string) => T | undefined, must: string): T => {
    const text = env[name];
    if (text === undefined || text === "") return fallback;
    const value = read(text);
    if (value === undefined) faults.push(`${name} must be ${must}`);
    return value ?? fallback;
  };
  const config: Config = {
    port: setting("PORT", 4000, readPort, "a whole number from 0 to 65535"),
    host: setting("HOST", "127.0.0.1", (text) => text, "a host name or address"),
    databaseUrl: setting("DATABASE_URL", undefined, readDatabaseUrl, "a URL that starts with postgres:// or postgresql://"),
    dataDir: setting("GATEHOUSE_DATA_DIR", ".gatehouse", (text) => text, "a folder, or memory"),
    consoleKey: setting(
      "GATEHOUSE_CONSOLE_KEY",
      undefined,
      (text) => (CONSOLE_KEY.test(text) ? text : undefined),
      "console- and at least 16 letters, digits, hyphens or underscores",
    ),
    logLevel: setting("LOG_LEVEL", "info", (text) => LOG_LEVELS.find((level) => level === text), `one of ${LOG_LEVELS.join(", ")}`),
    corsOrigins: setting("GATEHOUSE_CORS_ORIGINS", [], readOrigins, "origins such as https://example.com, separated by commas"),
    eventRetentionDays: setting("GATEHOUSE_EVENT_RETENTION_DAYS", 90, readDays, "a whole number of days from 1 to 3650"),
  };
  if (faults.length > 0) throw new ConfigError(faults);
  if (config.dataDir !== "memory") config.dataDir = resolve(env.INIT_CWD ?? process.cwd(), config.dataDir);
  return config;
}

function readPort(text: string): number | undefined {
  const port = Number(text);
  return /^\d+$/.test(text) && port <= 65535 ? port : undefined;
}

function readDays(text: string): number | undefined {
  const days = Number(text);
  return /^\d+$/.test(text) && days >= 1 && days <= 3650 ? days : undefined;
}

function readDatabaseUrl(text: string): string | undefined {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text) ? text : undefined;
}

function readOrigins(text: string): string[] | undefined {
  const origins = text.split(",").map((origin) => origin.trim());
  return origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ? origins : undefined;
}
