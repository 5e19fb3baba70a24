import type { ReactNode } from "react";
import type { Schema } from "../../api.ts";
import { dayOfRun } from "../../results/run-days.ts";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./home.module.css";

type Experiment = Schema<"Experiment">;

const STATUSES: Record<Experiment["status"], string> = {
  setup: "In setup",
  active: "Planned time is over",
  assignment_stopped: "Planned time is over",
  experiment_stopped: "Ended",
  decision_made: "Decided",
  abandoned: "Abandoned",
  archived: "Archived",
};

/** Experiments that wait for a decision. */
export function Experiments({ of: experiments }: { of: readonly Experiment[] }) {
  return (
    <ul className={styles.list}>
      {experiments.map(({ id, name, status, lastModifiedTime }) => (
        <Row
          key={id}
          name={<EntityLink type="experiment" id={id} name={name} />}
          state={<Badge tone="warn">{STATUSES[status]}</Badge>}
          time={lastModifiedTime}
        />
      ))}
    </ul>
  );
}

/** Experiments that are on their way, with the day of their run. */
export function RunningExperiments({ of: experiments, now }: { of: readonly Experiment[]; now: number }) {
  return (
    <ul className={styles.list}>
      {experiments.map((experiment) => (
        <Row
          key={experiment.id}
          name={<EntityLink type="experiment" id={experiment.id} name={experiment.name} />}
          state={dayOfRun(experiment, now)}
          time={experiment.lastModifiedTime}
        />
      ))}
    </ul>
  );
}

export function Row({ name, state, time }: { name: ReactNode; state: ReactNode; time: number }) {
  return (
    <li>
      <span className={styles.name}>{name}</span>
      {state}
      <span className={styles.soft}>
        changed <Time time={time} />
      </span>
    </li>
  );
}
