// Checks before an autotune starts. Pure.
import type { CheckedStep } from "../../entity/checklist.tsx";
import { equal } from "../../targeting/equal.ts";
import { parseObject } from "../../targeting/values.ts";
import type { Fields } from "./autotune-draft.ts";

/** Each step is the tab where it is set. */
export type Step = CheckedStep<"variants" | "settings">;

/** @param isEventSeen whether the success event was logged; undefined if that isn't known */
export function checklist({ variants, successEvent }: Pick<Fields, "variants" | "successEvent">, isEventSeen?: boolean): Step[] {
  const values = variants.map(({ value }) => parseObject(value));
  const differ = values.some((one) => !equal(one, values[0]));
  const isUnseen = isEventSeen === false;
  return [
    {
      id: "variants",
      title: "Variants",
      level: differ ? "done" : "missing",
      texts: [differ ? `Comparing ${variants.length} variants.` : "Set different values for the variants. They’re all the same now."],
    },
    {
      id: "settings",
      title: "Outcome",
      level: successEvent === "" ? "missing" : isUnseen ? "risky" : "done",
      texts: [
        successEvent === ""
          ? "Choose the event that counts as an outcome."
          : isUnseen
            ? `No event named “${successEvent}” was seen.`
            : `The outcome is the event “${successEvent}”.`,
      ],
    },
  ];
}

/** The reason why a start would be useless, if it would be. */
export const whyNotStart = (steps: readonly Step[]): string | undefined => steps.find(({ level }) => level === "missing")?.texts[0];

/** What speaks against a start. */
export const listRisks = (steps: readonly Step[]): string[] => steps.flatMap(({ level, texts }) => (level === "risky" ? texts : []));
