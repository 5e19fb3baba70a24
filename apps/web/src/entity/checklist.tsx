import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { Button } from "../ui/button.tsx";
import styles from "./checklist.module.css";
import entity from "./entity.module.css";

const ICONS = { done: CircleCheck, missing: CircleAlert, risky: TriangleAlert } as const;
const LABELS = { done: "Done", missing: "Missing", risky: "Warning" } as const;

/** `missing`: a start would be useless. `risky`: it can start, but with a warning. */
export type CheckLevel = keyof typeof ICONS;
export type CheckedStep<ID extends string> = { id: ID; title: string; level: CheckLevel; texts: readonly string[] };

/** The steps before a start, with what they lack. Each leads to its part of the page. */
export function Checklist<ID extends string>({ steps, onOpen }: { steps: readonly CheckedStep<ID>[]; onOpen: (id: ID) => void }) {
  return (
    <ol className={styles.checks} aria-label="Before you start">
      {steps.map(({ id, title, level, texts }) => {
        const Icon = ICONS[level];
        return (
          <li key={id} className={styles[level]}>
            <Icon role="img" aria-label={LABELS[level]} />
            <div className={styles.step}>
              <Button look="quiet" onPress={() => onOpen(id)}>
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
      })}
    </ol>
  );
}
