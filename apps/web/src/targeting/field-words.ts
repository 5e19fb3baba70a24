// Names and values of fields that a page has no sentence for, in words. Pure.
import { percentage } from "../charts/format.ts";
import { isCut, jsonValue, type Part, text, timeValue, toText, value } from "./parts.ts";
import { stepParts } from "./sentences.ts";
import { statusName, typeName } from "./status-names.ts";
import type { Rollout } from "./types.ts";

/** Names of fields that their paths don't make clear. */
const NAMES: Readonly<Record<string, string>> = {
  decisionReason: "Reason",
  holdoutIDs: "Holdouts",
  id: "ID",
  idType: "Unit ID type",
  inlineTargetingRules: "Targeting rules",
  isEnabled: "Enabled",
  launchedGroupID: "Winning group",
  layerID: "Layer",
  scheduledStartTime: "Scheduled start",
  targetingGateID: "Targeting gate",
};

/** The place of a value that callers define, and the keys in it. */
const IN_VALUE = /^(.*?\b(?:defaultValue|returnValue))\.(.+)$/;

/** `rules[0].passPercentage` as `Rule 1 › pass percentage`. Keys of values keep their spelling: ``Default value › `max_days` ``. */
export function fieldName(path: string): string {
  const known = NAMES[path];
  if (known !== undefined) return known;
  const [, place, keys] = IN_VALUE.exec(path) ?? [];
  if (place !== undefined) return `${fieldName(place)} › \`${keys}\``;
  const name = path.split(".").map(stepName).join(" › ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function stepName(step: string): string {
  const words = step
    .replace(/^pendingAutomatedRollouts$/, "scheduled rollout")
    .replace(/s?\[(\d+)\]/g, (_, index: string) => ` ${Number(index) + 1}`)
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .trim();
  return /^[A-Z][a-z]/.test(words) ? words : words.replace(/\b[A-Z][a-z]+/g, (word) => word.toLowerCase());
}

/** Names of entities and their parts by id, where a page knows them. */
export type KnownNames = Readonly<Record<string, string>>;

const IS_TIME = /(Time|At)$/;
const IS_PERCENT = /(^|\.)(allocation|\w+(Percent|Percentage|Allocation))$|^groups\[\d+\]\.size$/;

/** Lists of the events that a metric counts. */
const EVENT_LISTS = /(^|\.)(funnelEventList|funnelEvents|metricEvents)$/;

/** Whether a value is absent or empty. */
export const isNothing = (given: unknown): boolean =>
  given === null || given === undefined || given === "" || (Array.isArray(given) && given.length === 0);

/** Fields whose values are codes, with the names of those. */
const CODES: Readonly<Record<string, (code: string) => string>> = { status: statusName, type: typeName };

/** A value as people read it: times as dates, percentages, statuses, types and known ids by their names. */
export function plainValue(field: string, given: unknown, names: KnownNames = {}): Part {
  if (isNothing(given)) return text("none");
  if (typeof given === "boolean") return value(given ? "yes" : "no");
  if (typeof given === "number") return IS_TIME.test(field) ? timeValue(given) : value(IS_PERCENT.test(field) ? percentage(given) : given);
  if (typeof given === "string") return plainText(CODES[field]?.(given) ?? names[given] ?? given);
  if (areSteps(given)) return value(toText(stepParts(given)));
  const events = EVENT_LISTS.test(field) ? eventNames(given) : undefined;
  if (events !== undefined) return plainText(events.join(/funnel/.test(field) ? " → " : ", "));
  const isList = Array.isArray(given) && given.every((item) => typeof item === "string" || typeof item === "number");
  return isList ? plainText(given.map((item) => names[item] ?? item).join(", ")) : jsonValue(given);
}

/** Whether a value is a list of steps of a rollout. */
function areSteps(given: unknown): given is Rollout[] {
  const isStep = (one: unknown) => typeof one === "object" && one !== null && "passPercent" in one && "time" in one;
  return Array.isArray(given) && given.length > 0 && given.every(isStep);
}

/** The names in a list of events if the list says nothing else than their types, as of the steps of a funnel. Undefined for others. */
function eventNames(given: unknown): string[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const names = given.map((one) => {
    const { name, type, ...rest } = (typeof one === "object" && one !== null ? one : {}) as { name?: unknown; type?: unknown };
    return typeof type === "string" && typeof name === "string" && Object.values(rest).every(isNothing) ? name : undefined;
  });
  return names.every((name) => name !== undefined) ? names : undefined;
}

/** A text, cut like JSON if it is long. */
function plainText(words: string): Part {
  const cut = jsonValue(words);
  return isCut(cut) && cut.kind === "value" ? { ...cut, text: cut.text.slice(1), title: words } : value(words);
}
