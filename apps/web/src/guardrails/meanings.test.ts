import { expect, test } from "vitest";
import { PULSE_MEANINGS, VERDICT_MEANING } from "../results/number-meanings.ts";
import {
  BIAS_MEANING,
  CHECK_MEANINGS,
  GROUP_MEANINGS,
  MONITORED_MEANINGS,
  POWER_MEANINGS,
  PREVIEW_MEANINGS,
} from "../results/other-meanings.ts";
import { GUARDRAIL_MEANINGS } from "./guardrail-meanings.ts";

test("every meaning has a label and a sentence, and every source names its year", () => {
  const all = [
    PULSE_MEANINGS,
    CHECK_MEANINGS,
    GROUP_MEANINGS,
    MONITORED_MEANINGS,
    POWER_MEANINGS,
    PREVIEW_MEANINGS,
    GUARDRAIL_MEANINGS.rule,
    GUARDRAIL_MEANINGS.group,
  ].flatMap((some) => Object.values(some));
  for (const { label, text, source } of [...all, VERDICT_MEANING, BIAS_MEANING]) {
    expect(label).not.toBe("");
    expect(text).toMatch(/\.$/);
    if (source !== undefined) expect(source).toMatch(/\b(19|20)\d\d\b/);
  }
});
