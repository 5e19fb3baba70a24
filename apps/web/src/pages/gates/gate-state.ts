// The states of gates in words.
import type { Schema } from "../../api.ts";
import type { Tone } from "../../ui/badge.tsx";

type Gate = Schema<"Gate">;

export const STATUS_TONES: Record<Gate["status"], Tone> = {
  "In Progress": "active",
  Launched: "good",
  Disabled: "off",
  Archived: "archived",
};

export const STATUS_NAMES: Record<Gate["status"], string> = {
  "In Progress": "In progress",
  Launched: "Launched",
  Disabled: "Disabled",
  Archived: "Archived",
};

export const STALE_REASONS: Record<Gate["typeReason"], string> = {
  NONE: "In use",
  STALE_PROBABLY_LAUNCHED: "On for everyone for a long time",
  STALE_PROBABLY_UNLAUNCHED: "Off for everyone for a long time",
  STALE_PROBABLY_FORGOTTEN: "Partly rolled out for a long time",
  STALE_NO_RULES: "Has no rules",
  STALE_PROBABLY_DEAD_CHECK: "Not checked in 30 days",
  STALE_EMPTY_CHECKS: "Checks had no value in 30 days",
  STALE_ALL_TRUE: "Every check passed in 30 days",
  STALE_ALL_FALSE: "Every check failed in 30 days",
};

/** The same in a column of a list, in the words of the home page. */
export const STALE_LABELS: Record<Exclude<Gate["typeReason"], "NONE">, string> = {
  STALE_PROBABLY_LAUNCHED: "Passes everyone",
  STALE_PROBABLY_UNLAUNCHED: "Fails everyone",
  STALE_PROBABLY_FORGOTTEN: "Partly rolled out",
  STALE_NO_RULES: "No rules",
  STALE_PROBABLY_DEAD_CHECK: "Not checked",
  STALE_EMPTY_CHECKS: "No value",
  STALE_ALL_TRUE: "All checks pass",
  STALE_ALL_FALSE: "All checks fail",
};
