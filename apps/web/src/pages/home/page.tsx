import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { query, type Schema } from "../../api.ts";
import { useProject } from "../../session/account.ts";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Page, Section } from "../../shell/page.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Empty, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { ChangesByOthers } from "./changes-by-others.tsx";
import styles from "./home.module.css";
import { nextRollouts } from "./next-rollouts.ts";
import { isToDecide } from "./recent-changes.ts";
import { ANY_GATE, RUNNING, STALE_EXPERIMENTS, STALE_GATES, STOPPED, stepsSoon } from "./requests.ts";

type Experiment = Schema<"Experiment">;

/** The reader's tasks: decisions, cleanup, and the changes of others. */
export default function HomePage() {
  const { projectID } = useParams({ from: "/projects/$projectID/" });
  const { name } = useProject();
  const { data: gates } = useSuspenseQuery(query("listGates", ANY_GATE));
  const { data: stale } = useSuspenseQuery(query("listGates", STALE_GATES));
  const { data: running } = useSuspenseQuery(query("listExperiments", RUNNING));
  const { data: stopped } = useSuspenseQuery(query("listExperiments", STOPPED));
  const { data: forgotten } = useSuspenseQuery(query("listExperiments", STALE_EXPERIMENTS));
  const steps = stepsSoon(Date.now());
  const { data: gatesToStep } = useSuspenseQuery(query("listGates", steps));
  const { data: configsToStep } = useSuspenseQuery(query("listDynamicConfigs", steps));
  const until = steps.query.nextRolloutBefore;
  const rollouts = [
    ...nextRollouts("gate", gatesToStep.data, until),
    ...nextRollouts("dynamic_config", configsToStep.data, until),
  ].toSorted((a, b) => a.time - b.time);
  const forgottenIDs = new Set(forgotten.data.map(({ id }) => id));
  const toDecide = [...stopped.data, ...running.data.filter((one) => isToDecide(one, Date.now()))].filter(
    ({ id }) => !forgottenIDs.has(id),
  );
  const isEmpty = gates.pagination.totalItems === 0 && running.data.length === 0 && stopped.data.length === 0;
  const needsNothing = rollouts.length === 0 && toDecide.length === 0 && stale.data.length === 0 && forgotten.data.length === 0;
  return (
    <Page title="Home">
      {isEmpty ? (
        <Empty
          title={`Nothing in ${name} yet`}
          action={
            <Link to="/projects/$projectID/start" params={{ projectID }}>
              Get started
            </Link>
          }
        >
          Make a first gate, and read it from your code. What needs you is listed here later.
        </Empty>
      ) : (
        needsNothing && <Notice tone="good">Nothing waits for you: no gate is stale, and no experiment is to be decided.</Notice>
      )}
      {toDecide.length > 0 && (
        <Section title="Experiments to decide" description="They have ended, or have run as long as planned.">
          <Experiments of={toDecide} />
        </Section>
      )}
      {rollouts.length > 0 && (
        <Section title="Rollouts about to step" description="Within a day, the server raises or lowers these shares.">
          <ul className={styles.list}>
            {rollouts.map(({ type, id, name, rule, from, to, time }) => (
              <li key={`${type} ${id} ${rule}`}>
                <span className={styles.name}>
                  <EntityLink type={type} id={id} name={name} />
                </span>
                <span>
                  <bdi>{rule}</bdi>: {from}% → {to}%
                </span>
                <span className={styles.soft}>
                  <Time time={time} />
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {stale.data.length > 0 && (
        <Section
          title="Stale gates"
          description="Candidates to remove from the code, then to archive. The longest untouched come first."
          actions={
            stale.pagination.totalItems > stale.data.length && (
              <Link to="/projects/$projectID/gates" params={{ projectID }} search={{ type: "STALE" }}>
                All {stale.pagination.totalItems}
              </Link>
            )
          }
        >
          <ul className={styles.list}>
            {stale.data.map((gate) => (
              <Row
                key={gate.id}
                name={
                  <Link to="/projects/$projectID/gates/$id" params={{ projectID, id: gate.id }}>
                    <bdi>{gate.name}</bdi>
                  </Link>
                }
                state={<Badge tone="warn">{STALE_REASONS[gate.typeReason]}</Badge>}
                time={gate.lastModifiedTime}
              />
            ))}
          </ul>
        </Section>
      )}
      {forgotten.data.length > 0 && (
        <Section title="Stale experiments" description="They ended at least 30 days ago, and nobody touched them since.">
          <Experiments of={forgotten.data} />
        </Section>
      )}
      <ChangesByOthers />
    </Page>
  );
}

const STALE_REASONS: Record<Schema<"Gate">["typeReason"], string> = {
  NONE: "Stale",
  STALE_PROBABLY_LAUNCHED: "Passes everybody",
  STALE_PROBABLY_UNLAUNCHED: "Fails everybody",
  STALE_PROBABLY_FORGOTTEN: "Partly rolled out",
  STALE_NO_RULES: "No rules",
  STALE_PROBABLY_DEAD_CHECK: "Not checked",
  STALE_EMPTY_CHECKS: "Checks without a value",
  STALE_ALL_TRUE: "Every check passes",
  STALE_ALL_FALSE: "Every check fails",
};

const STATUSES: Record<Experiment["status"], string> = {
  setup: "In setup",
  active: "As long as planned",
  assignment_stopped: "As long as planned",
  experiment_stopped: "Ended",
  decision_made: "Decided",
  abandoned: "Abandoned",
  archived: "Archived",
};

function Experiments({ of: experiments }: { of: readonly Experiment[] }) {
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

function Row({ name, state, time }: { name: ReactNode; state: ReactNode; time: number }) {
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
