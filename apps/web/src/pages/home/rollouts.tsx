import { useSuspenseQueries } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { query } from "../../api.ts";
import { PausedBy } from "../../guardrails/paused-by.tsx";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Section } from "../../shell/page.tsx";
import { isPaused, nextRollouts } from "../../targeting/next-rollouts.ts";
import { PAUSED, STEPPING } from "../../targeting/rollout-requests.ts";
import { Time } from "../../ui/time.tsx";
import styles from "./home.module.css";
import { SHOWN } from "./requests.ts";

const SOON_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
/** The most gates, and the most dynamic configs, that are read. */
const READ = 50;

/** Steps until the same hour of tomorrow: among more rollouts than are read, they are the next ones. Within an hour, the request is the same. */
const stepsSoon = (now: number) => ({
  query: { nextRolloutBefore: Math.ceil((now + SOON_MS) / HOUR_MS) * HOUR_MS, limit: READ },
});

const STEPS = { query: { ...STEPPING.query, limit: READ } };
const PAUSES = { query: { ...PAUSED.query, limit: SHOWN } };

/** Rollouts in progress: paused ones first, then the nearest next step. Nothing without rollouts. */
export function Rollouts() {
  const { projectID } = useParams({ from: "/projects/$projectID/" });
  const [{ data: gates }, { data: configs }, { data: pausedGates }] = useSuspenseQueries({
    queries: [query("listGates", STEPS), query("listDynamicConfigs", STEPS), query("listGates", PAUSES)],
  });
  // Only lists that are cut need the next steps of all.
  const soon = stepsSoon(Date.now());
  const gatesSoon = useSuspenseQueries({ queries: [gates].filter(isCut).map(() => query("listGates", soon)) });
  const configsSoon = useSuspenseQueries({ queries: [configs].filter(isCut).map(() => query("listDynamicConfigs", soon)) });
  const moving = [
    ...nextRollouts("gate", byID(...gatesSoon.map(({ data }) => data.data), gates.data)),
    ...nextRollouts("dynamic_config", byID(...configsSoon.map(({ data }) => data.data), configs.data)),
  ].toSorted((a, b) => a.time - b.time);
  const rollouts = [...nextRollouts("gate", pausedGates.data), ...moving];
  if (rollouts.length === 0) return null;
  return (
    <Section
      title="Rollouts in progress"
      actions={
        <Link to="/projects/$projectID/rollouts" params={{ projectID }}>
          All rollouts
        </Link>
      }
    >
      <ul className={styles.list}>
        {rollouts.slice(0, SHOWN).map(({ type, id, name, ruleID, rule, from, to, time, pausedBy }) => (
          <li key={`${type} ${id} ${ruleID}`}>
            <span className={styles.name}>
              <EntityLink type={type} id={id} name={name} />
            </span>
            <span>
              <bdi>{rule}</bdi>: {from}% → {to}%
            </span>
            {isPaused({ pausedBy }) ? (
              <PausedBy metrics={pausedBy} />
            ) : (
              <span className={styles.soft}>
                <Time time={time} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const isCut = ({ data, pagination }: { data: readonly unknown[]; pagination: { totalItems: number } }): boolean =>
  pagination.totalItems > data.length;

/** Several answers as one list with each entity once. */
const byID = <Flag extends { id: string }>(...lists: readonly Flag[][]): Flag[] => [
  ...new Map(lists.flat().map((flag) => [flag.id, flag])).values(),
];
