import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import entity from "../../entity/entity.module.css";
import type { FieldProps } from "../../entity/field-props.ts";
import { changedAt, movedTo, rowKey } from "../../entity/row-keys.ts";
import { Section } from "../../shell/page.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import styles from "./metrics.module.css";
import { MAX_STEPS } from "./warehouse-draft.ts";

type Props<Step extends object> = FieldProps & {
  steps: readonly Step[];
  onChange: (steps: Step[]) => void;
  newStep: () => Step;
  /** The path of the list in a request. */
  place: string;
  /** The fields of one step. */
  children: (step: Step, edit: (changed: Partial<Step>) => void, place: string) => ReactNode;
  /** Text above all steps. */
  above?: ReactNode;
  description: string;
};

/** The steps of a funnel in their order. */
export function StepList<Step extends object>(props: Props<Step>) {
  const { steps, onChange, newStep, place, children, above, description, disabledReason, faultAt } = props;
  const isFull = steps.length >= MAX_STEPS;
  const fault = faultAt(place);
  return (
    <Section
      title="Steps"
      description={description}
      actions={
        <Button
          onPress={() => onChange([...steps, newStep()])}
          disabledReason={disabledReason ?? (isFull ? `Use at most ${MAX_STEPS} steps.` : undefined)}
        >
          <Plus aria-hidden="true" />
          Add step
        </Button>
      }
    >
      {above}
      {fault !== undefined && <Notice tone="bad">{fault}</Notice>}
      <ol className={styles.steps}>
        {steps.map((step, index) => {
          const title = `Step ${index + 1}`;
          const move = (to: number) => onChange(movedTo(steps, index, to));
          return (
            <li key={rowKey(step)}>
              <fieldset className={entity.card} aria-label={title}>
                <div className={styles.header}>
                  <h3>{title}</h3>
                  <div className={styles.buttons}>
                    <IconButton
                      label={`Move ${title.toLowerCase()} up`}
                      onPress={() => move(index - 1)}
                      disabledReason={disabledReason ?? (index === 0 ? "Already first." : undefined)}
                    >
                      <ArrowUp aria-hidden="true" />
                    </IconButton>
                    <IconButton
                      label={`Move ${title.toLowerCase()} down`}
                      onPress={() => move(index + 1)}
                      disabledReason={disabledReason ?? (index === steps.length - 1 ? "Already last." : undefined)}
                    >
                      <ArrowDown aria-hidden="true" />
                    </IconButton>
                    <IconButton
                      label={`Remove ${title.toLowerCase()}`}
                      onPress={() => onChange(steps.toSpliced(index, 1))}
                      disabledReason={disabledReason}
                    >
                      <Trash2 aria-hidden="true" />
                    </IconButton>
                  </div>
                </div>
                {children(step, (changed) => onChange(changedAt(steps, index, changed)), `${place}[${index}]`)}
              </fieldset>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}
