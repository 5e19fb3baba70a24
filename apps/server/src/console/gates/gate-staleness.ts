import { isRuleEnabled } from "../common/rule.ts";
import type { Gate } from "./gate.ts";

/** A gate can be stale this long after its last change. Checks in the same period count. */
export const STALE_AFTER_MS = 30 * 24 * 60 * 60 * 1000;

/** A gate whose checks had several outcomes within this time is in use. */
export const IN_USE_MS = 7 * 24 * 60 * 60 * 1000;

/** The checks of a gate within STALE_AFTER_MS, how many outcomes it had within IN_USE_MS, and the time of its first check ever, ms since the epoch. */
export type CheckCounts = { passes: number; fails: number; empties: number; recentOutcomes: number; firstTime: number | null };

/** Why a gate is stale, as the contract defines `typeReason`. @param isTargeted whether something in use references it */
export function findStaleness(gate: Gate, checks: CheckCounts, isTargeted: boolean, now: number): Gate["typeReason"] {
  if (gate.type === "PERMANENT" || gate.isTemplate || checks.recentOutcomes > 1) return "NONE";
  return isLeftAlone(gate, isTargeted, now) ? "NONE" : findReason(gate, checks, now);
}

function isLeftAlone(gate: Gate, isTargeted: boolean, now: number): boolean {
  const lastTouched = Math.max(gate.createdTime, gate.lastModifiedTime);
  return gate.status === "Archived" || isTargeted || now - lastTouched < STALE_AFTER_MS;
}

function findReason(gate: Gate, { passes, fails, empties, firstTime }: CheckCounts, now: number): Gate["typeReason"] {
  const total = passes + fails + empties;
  if (total === 0) return "STALE_PROBABLY_DEAD_CHECK";
  if (firstTime === null || now - firstTime < STALE_AFTER_MS) return "NONE";
  const isOnEverywhere = gate.status !== "Disabled" && gate.disabledEnvironments === undefined;
  if (isOnEverywhere && (gate.status === "Launched" || everyoneAt(gate, 100))) return "STALE_PROBABLY_LAUNCHED";
  if (gate.status === "Disabled" || everyoneAt(gate, 0)) return "STALE_PROBABLY_UNLAUNCHED";
  if (!gate.rules.some(isRuleEnabled)) return "STALE_NO_RULES";
  if (passes === total) return "STALE_ALL_TRUE";
  if (fails === total) return "STALE_ALL_FALSE";
  if (empties === total) return "STALE_EMPTY_CHECKS";
  return "STALE_PROBABLY_FORGOTTEN";
}

/** Whether the first enabled rule that matches everyone in every environment passes this percentage. */
function everyoneAt(gate: Gate, percentage: number): boolean {
  return gate.rules.filter(isRuleEnabled).find(meetsEveryone)?.passPercentage === percentage;
}

/** Whether the enabled rules pass no users, all users, or some. */
export function rolloutRate(given: Gate["rules"]): "0" | "100" | "INBETWEEN" {
  const rules = given.filter(isRuleEnabled);
  if (rules.every(({ passPercentage }) => passPercentage === 0)) return "0";
  const isFull = rules.every(({ passPercentage }) => passPercentage === 100) && rules.some(meetsEveryone);
  return isFull ? "100" : "INBETWEEN";
}

function meetsEveryone({ conditions, environments }: Gate["rules"][number]): boolean {
  return !environments?.length && conditions.every(({ type }) => type === "public");
}
