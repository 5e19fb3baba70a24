import { useSuspenseQueries } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { query, type Request } from "../../api.ts";
import { PausedBy } from "../../guardrails/paused-by.tsx";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Section } from "../../shell/page.tsx";
import { isPaused, nextRollouts } from "../../targeting/next-rollouts.ts";
import { Time } from "../../ui/time.tsx";
import styles from "./home.module.css";
import { SHOWN } from "./requests.ts";

const SOON_MS = 24 * 3_600_000;
const HOUR_MS = 3_600_000;
/** The end of the year 9999, the latest time of a step. In ms since the epoch. */
const EVER = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** The most gates, and the most dynamic configs, that are read. */
const READ = 50;

/** Steps until the same hour of tomorrow: among more rollouts than are read, they are the next ones. Within an hour, the request is the same. */
const stepsSoon = (now: number) => ({
  query: { nextRolloutBefore: Math.ceil((now + SOON_MS) / HOUR_MS) * HOUR_MS, limit: READ },
});
const STEPPING = { query: { nextRolloutBefore: EVER, limit: READ } };
const PAUSED: Request<"listGates"> = { query: { isPaused: true, limit: SHOWN } };

/** Rollouts in progress: paused ones first, then the nearest next step. Nothing without rollouts. */
export function Rollouts() {
  const { projectID } = useParams({ from: "/projects/$projectID/" });
  const soon = stepsSoon(Date.now());
  const [{ data: gatesSoon }, { data: configsSoon }, { data: gates }, { data: configs }, { data: paused }] = useSuspenseQueries({
    queries: [
      ...([query("listGates", soon), query("listDynamicConfigs", soon)] as const),
      ...([query("listGates", STEPPING), query("listDynamicConfigs", STEPPING)] as const),
      query("listGates", PAUSED),
    ],
  });
  const moving = [
    ...nextRollouts("gate", byID(gatesSoon.data, gates.data)),
    ...nextRollouts("dynamic_config", byID(configsSoon.data, configs.data)),
  ].toSorted((a, b) => a.time - b.time);
  const rollouts = [...nextRollouts("gate", paused.data), ...moving];
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

/** Several answers as one list with each entity once. */
const byID = <Flag extends { id: string }>(...lists: readonly Flag[][]): Flag[] => [
  ...new Map(lists.flat().map((flag) => [flag.id, flag])).values(),
];
