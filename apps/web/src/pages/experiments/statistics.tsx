import type { Schema } from "../../api.ts";
import { Meanings } from "../../results/meanings.tsx";
import { Scorecard } from "../../results/scorecard.tsx";
import { Topline } from "../../results/topline.tsx";
import { FoldedSection } from "../../shell/folded-section.tsx";

type Props = {
  pulse: Schema<"ExperimentPulse">;
  /** The names of the compared groups. */
  control: string;
  test: string;
  /** In percent. */
  confidence: number;
};

/** All numbers of a comparison, with their formulas. */
export function Statistics({ pulse, control, test, confidence }: Props) {
  const { primaryMetrics, secondaryMetrics, otherMetrics, updates = 0 } = pulse;
  const all = [...primaryMetrics, ...secondaryMetrics, ...otherMetrics];
  const named = { all, control, test, updates };
  return (
    <>
      <FoldedSection
        title="Statistics"
        description={
          <>
            <bdi>{test}</bdi> compared with <bdi>{control}</bdi>. SE is a standard error. Numbers in parentheses are intervals.
          </>
        }
      >
        <Scorecard title="Primary metrics" metrics={primaryMetrics} {...named} />
        <Scorecard title="Secondary metrics" metrics={secondaryMetrics} {...named} />
        <Scorecard title="Other metrics" metrics={otherMetrics} {...named} />
        <Meanings confidence={String(confidence)} alpha="at one α with the interval after all corrections" />
      </FoldedSection>
      {all.some(({ topline }) => topline !== undefined) && (
        <FoldedSection title="Topline impact">
          <Topline metrics={all} words={{ now: `Now, from the users of ${test}`, everybody: `If everyone had ${test}` }} />
        </FoldedSection>
      )}
    </>
  );
}
