import { resolve } from "node:path";
import { ConfigError } from "../common/config-error.ts";
import { callerFolder } from "./caller-folder.ts";
import { type LogConfig, readLog } from "./log-config.ts";
import { readPublicUrl } from "./public-url.ts";
import { MAX_STREAMS_SETTING, PROXIES_MUST, readingFrom, readProxies, readRequestSettings, wholeNumber } from "./setting-values.ts";

/** The settings of a relay. */
export type RelayConfig = LogConfig & {
  port: number;
  host: string;
  /** The URL of the origin server, without a slash at its end. */
  origin: string;
  /** The relay's own key. */
  key: string;
  /** The folder of the relay's state and of its queue of events. Undefined means that both are in memory. */
  folder: string | undefined;
  /** The most events that wait, in units of 2^20 characters. */
  queueMegabytes: number;
  trustedProxies: string[];
  publicUrl: string | undefined;
  maxStreams: number;
  maxStreamsPerKey: number;
  evaluationLimit: number | "off";
  eventLimit: number | "off";
  /** How long shared caches such as CDNs may serve rulesets whose URL contains the key, seconds. */
  cdnMaxAge: number | "off";
  /** How long it goes on serving after a stop signal, ms. It is not ready during that time, so that load balancers find other replicas. */
  stopDelayMs: number;
};

const ORIGIN = "GATEHOUSE_RELAY_ORIGIN";
const KEY_PATTERN = /^secret-[\w-]{16,}$/;
const STREAMS_MUST = `a whole number from 1 to ${MAX_STREAMS_SETTING}`;

/** Reads every setting and reports all faults together. */
export function readRelayConfig(env: NodeJS.ProcessEnv = process.env): RelayConfig {
  const faults: string[] = [];
  const setting = readingFrom(env, faults);
  const required = (name: string, read: (text: string) => string | undefined, must: string): string => {
    if (!env[name]) faults.push(`${name} is required: ${must}`);
    return setting(name, "", read, must);
  };
  const streams = (name: string) => setting(name, 20_000, wholeNumber(1, MAX_STREAMS_SETTING), STREAMS_MUST);
  const folder = setting<string | undefined>("GATEHOUSE_RELAY_DATA", undefined, (text) => text, "a folder");
  const config: RelayConfig = {
    port: setting("PORT", 4000, wholeNumber(0, 65535), "a whole number from 0 to 65535"),
    host: setting("HOST", "127.0.0.1", (text) => text, "an address or a host name"),
    origin: readOrigin(env, faults),
    key: required(
      "GATEHOUSE_RELAY_KEY",
      (text) => (KEY_PATTERN.test(text) ? text : undefined),
      "a server key of the project, which begins with secret-",
    ),
    folder: folder === undefined ? undefined : resolve(callerFolder(), folder),
    queueMegabytes: setting("GATEHOUSE_RELAY_QUEUE_MB", 64, wholeNumber(1, 1_024), "a whole number from 1 to 1024"),
    ...readLog(setting),
    trustedProxies: setting("GATEHOUSE_TRUSTED_PROXIES", [], readProxies, PROXIES_MUST),
    publicUrl: readPublicUrl(env, faults),
    maxStreams: streams("GATEHOUSE_MAX_STREAMS"),
    maxStreamsPerKey: streams("GATEHOUSE_MAX_STREAMS_PER_KEY"),
    ...readRequestSettings(setting),
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

function readOrigin(env: NodeJS.ProcessEnv, faults: string[]): string {
  if (!env[ORIGIN]) faults.push(`${ORIGIN} is required: the URL of the origin server, such as https://flags.example.com`);
  return readPublicUrl(env, faults, ORIGIN) ?? "";
}
