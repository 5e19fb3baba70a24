import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import entity from "../../entity/entity.module.css";
import { Button } from "../../ui/button.tsx";
import styles from "./experiments.module.css";
import type { Step, StepID } from "./setup-steps.ts";

const ICONS = { done: CircleCheck, missing: CircleAlert, risky: TriangleAlert } as const;
const LABELS = { done: "Done", missing: "Missing", risky: "Warning" } as const;

/** What will happen, and the steps with what they lack. Each leads to its section. */
export function SetupOverview({ summary, steps }: { summary: string; steps: readonly Step[] }) {
  return (
    <section className={`${entity.card} ${styles.overview}`} aria-label="Overview">
      <h2>Summary</h2>
      <p>
        <bdi>{summary}</bdi>
      </p>
      <h2>Before you start</h2>
      <ol className={styles.checks} aria-label="Before you start">
        {steps.map((step) => (
          <StepLine key={step.id} step={step} />
        ))}
      </ol>
    </section>
  );
}

function StepLine({ step: { id, title, level, texts } }: { step: Step }) {
  const Icon = ICONS[level];
  return (
    <li className={styles[level]}>
      <Icon role="img" aria-label={LABELS[level]} />
      <div className={styles.step}>
        <Button look="quiet" onPress={() => goTo(id)}>
          {title}
        </Button>
        {texts.map((text) => (
          <p key={text} className={level === "done" ? entity.soft : undefined}>
            <bdi>{text}</bdi>
          </p>
        ))}
      </div>
    </li>
  );
}

export const sectionID = (step: StepID): string => `setup-${step}`;

/** Shows a step's section, and moves the focus there. */
function goTo(step: StepID): void {
  const section = document.getElementById(sectionID(step));
  section?.scrollIntoView({ block: "start" });
  section?.focus({ preventScroll: true });
}
