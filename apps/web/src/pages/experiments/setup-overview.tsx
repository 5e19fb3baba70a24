import { Checklist } from "../../entity/checklist.tsx";
import entity from "../../entity/entity.module.css";
import styles from "./experiments.module.css";
import type { Step, StepID } from "./setup-steps.ts";

/** What will happen, and the steps with what they lack. Each leads to its section. */
export function SetupOverview({ summary, steps }: { summary: string; steps: readonly Step[] }) {
  return (
    <section className={`${entity.card} ${styles.overview}`} aria-label="Overview">
      <h2>Summary</h2>
      <p>
        <bdi>{summary}</bdi>
      </p>
      <h2>Before you start</h2>
      <Checklist steps={steps} onOpen={goTo} />
    </section>
  );
}

export const sectionID = (step: StepID): string => `setup-${step}`;

/** Shows a step's section, and moves the focus there. */
function goTo(step: StepID): void {
  const section = document.getElementById(sectionID(step));
  section?.scrollIntoView({ block: "start" });
  section?.focus({ preventScroll: true });
}
