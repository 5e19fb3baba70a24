import { MeaningText } from "./explained-number.tsx";
import type { Meaning } from "./meaning.ts";
import { PULSE_MEANINGS, type PulseNumber, VERDICT_MEANING } from "./number-meanings.ts";
import styles from "./results.module.css";

/** Both groups have the same numbers, so the list says it of a group. */
const LISTED: readonly Meaning[] = [
  ...(Object.keys(PULSE_MEANINGS) as PulseNumber[])
    .filter((of) => !of.startsWith("control"))
    .map((of) => ({ ...PULSE_MEANINGS[of], label: PULSE_MEANINGS[of].label.replace("the test group", "a group") })),
  VERDICT_MEANING,
];

/**
 * The meaning, formula and source of each number: for fingers, which cannot hover, and for a complete read.
 * @param alpha the verdict's chance of a false positive, in words
 */
export function Meanings({ confidence, alpha }: { confidence: string; alpha: string }) {
  return (
    <details>
      <summary>About these numbers</summary>
      <p>
        Intervals are {confidence}% confidence intervals before corrections. Verdicts and p-values are {alpha}. Point at a number to see its
        formula.
      </p>
      <dl className={styles.meanings}>
        {LISTED.map((meaning) => (
          <div key={meaning.label}>
            <dt>{meaning.label}</dt>
            <dd>
              <MeaningText meaning={meaning} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
