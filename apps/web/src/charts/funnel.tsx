import { Figure } from "./figure.tsx";
import { counted, exact, share } from "./format.ts";
import styles from "./funnel.module.css";

type FunnelStep = { name: string; count: number };

type Props = {
  title: string;
  /** Plural of the counted thing: users. */
  unit: string;
  steps: readonly FunnelStep[];
  empty: string;
};

/** The steps of a funnel as bars, with their share of the first step and the loss from step to step. */
export function Funnel({ title, unit, steps, empty }: Props) {
  const first = steps[0]?.count ?? 0;
  const before = (index: number) => steps[index - 1]?.count ?? first;
  return (
    <Figure
      title={title}
      unit={unit}
      summary={`${counted(steps.at(-1)?.count ?? 0, unit)} of ${exact(first)} complete it`}
      empty={first === 0 ? empty : undefined}
      table={() => ({
        columns: ["Step", "Count", "% of first step", "% of previous step", "Drop-off"],
        rows: steps.map(({ name, count }, index) => [
          name,
          exact(count),
          share(count, first),
          index === 0 ? "–" : share(count, before(index)),
          index === 0 ? "–" : exact(before(index) - count),
        ]),
      })}
    >
      <ol className={styles.steps}>
        {steps.map(({ name, count }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps may share a name and never move.
          <li key={index} className={styles.step}>
            <span className={styles.name}>
              {index + 1}. <bdi>{name}</bdi>
            </span>
            <span className={styles.track} aria-hidden="true">
              <span className={styles.bar} style={{ inlineSize: `${first === 0 ? 0 : (count / first) * 100}%` }} />
            </span>
            <span>
              {exact(count)} ({share(count, first)})
              {index > 0 && (
                <span className={styles.loss}>
                  {" "}
                  {exact(count - before(index))} ({share(before(index) - count, before(index))} dropped off)
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
    </Figure>
  );
}
