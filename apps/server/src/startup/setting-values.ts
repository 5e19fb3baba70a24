import { trustedAddresses } from "../common/addresses.ts";
import type { Setting } from "./oidc-config.ts";

export const MAX_STREAMS_SETTING = 1_000_000;
const MAX_LIMIT = 1_000_000;
export const LIMIT_MUST = `a whole number from 1 to ${MAX_LIMIT}, or off`;
const MAX_CDN_AGE_S = 3_600;
const CDN_MAX_AGE_MUST = `a whole number of seconds from 1 to ${MAX_CDN_AGE_S}, or off`;
const MAX_STOP_DELAY_S = 120;
const STOP_DELAY_MUST = `a whole number of seconds from 0 to ${MAX_STOP_DELAY_S}`;
export const PROXIES_MUST = "addresses, ranges such as 10.0.0.0/8, loopback, linklocal, or uniquelocal, separated by commas";

/** Reads settings from an environment. Collects their faults. */
export function readingFrom(env: NodeJS.ProcessEnv, faults: string[]): Setting {
  return (name, fallback, read, must) => {
    const text = env[name];
    if (text === undefined || text === "") return fallback;
    const value = read(text);
    if (value === undefined) faults.push(`${name} must be ${must}`);
    return value ?? fallback;
  };
}

export function wholeNumber(least: number, most: number) {
  return (text: string): number | undefined => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= least && value <= most ? value : undefined;
  };
}

export function readProxies(text: string): string[] | undefined {
  const proxies = text.split(",").map((proxy) => proxy.trim());
  try {
    trustedAddresses(proxies);
    return proxies;
  } catch {
    return undefined;
  }
}

/** @returns milliseconds */
function readStopDelay(text: string): number | undefined {
  const seconds = wholeNumber(0, MAX_STOP_DELAY_S)(text);
  return seconds === undefined ? undefined : seconds * 1_000;
}

function readCdnMaxAge(text: string): number | "off" | undefined {
  return text === "off" ? text : wholeNumber(1, MAX_CDN_AGE_S)(text);
}

export function readLimit(text: string): number | "off" | undefined {
  return text === "off" ? text : wholeNumber(1, MAX_LIMIT)(text);
}

/** The settings about requests that servers and relays have in common. */
export function readRequestSettings(setting: Setting) {
  return {
    evaluationLimit: setting<number | "off">("GATEHOUSE_EVALUATION_LIMIT", "off", readLimit, LIMIT_MUST),
    eventLimit: setting<number | "off">("GATEHOUSE_EVENT_LIMIT", "off", readLimit, LIMIT_MUST),
    cdnMaxAge: setting<number | "off">("GATEHOUSE_CDN_MAX_AGE", "off", readCdnMaxAge, CDN_MAX_AGE_MUST),
    stopDelayMs: setting("GATEHOUSE_STOP_DELAY", 0, readStopDelay, STOP_DELAY_MUST),
  };
}
