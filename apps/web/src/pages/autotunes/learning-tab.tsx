import { percentage } from "../../charts/format.ts";
import { Shares } from "../../charts/shares.tsx";
import entity from "../../entity/entity.module.css";
import { Section } from "../../shell/page.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/number-text.ts";
import { Time } from "../../ui/time.tsx";
import { AutotuneHistory } from "./autotune-history.tsx";
import { type Autotune, autotuneState, explorationEnd, waitsFor } from "./states.ts";

const number = (value: number): string => formatNumber(value, { maximumFractionDigits: 4 });

/** The server's knowledge of each variant, and its consequences. */
export default function LearningTab({ autotune }: { autotune: Autotune }) {
  const { progress, variants, optimizationParameter, startTime, winner } = autotune;
  const state = autotuneState(autotune);
  if (progress === null || progress === undefined || startTime === null || startTime === undefined)
    return (
      <Section title="Progress">
        <p>Not started: everyone gets the first variant. Set up the variants and the outcome, then start it.</p>
      </Section>
    );
  const isValue = optimizationParameter === "value";
  const findName = (id: string) => variants.find((variant) => variant.id === id)?.name ?? id;
  return (
    <>
      {winner !== null && winner !== undefined && (
        <Notice tone="good" title={`${winner.name} has won`}>
          <bdi>{autotune.decisionReason || "No reason given."}</bdi> Everyone has had it since <Time time={autotune.decisionTime ?? 0} />.
        </Notice>
      )}
      <Section title="Traffic">
        <Shares
          title="Traffic of each variant"
          unit="users"
          shares={progress.variants.map(({ id, share }) => ({ id, label: findName(id), percent: share }))}
        />
      </Section>
      <AutotuneHistory autotune={autotune} />
      <Section title="Progress">
        {state === "running" && <p>{waitsFor(autotune, Date.now())}</p>}
        <p className={entity.soft}>
          Started <Time time={startTime} />
          {state === "running" && (
            <>
              . The exploration {explorationEnd(autotune) > Date.now() ? "ends" : "ended"} <Time time={explorationEnd(autotune)} />
            </>
          )}
          .{" "}
          {progress.checkedTime === null ? (
            "Not checked yet. Checks run within a minute of the start, then hourly."
          ) : (
            <>
              Last checked <Time time={progress.checkedTime} />.
            </>
          )}
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <section className={entity.scroll} aria-label="Results by variant" tabIndex={0}>
          <table className={entity.table} aria-label="Variants">
            <thead>
              <tr>
                <th scope="col">Variant</th>
                <th scope="col">Units</th>
                <th scope="col">With outcome</th>
                <th scope="col">{isValue ? "Mean value" : "Rate"}</th>
                <th scope="col">Is the best</th>
                <th scope="col">Traffic</th>
              </tr>
            </thead>
            <tbody>
              {progress.variants.map(({ id, units, outcomes, mean, probabilityOfBest, share }) => (
                <tr key={id}>
                  <th scope="row">
                    <bdi>{findName(id)}</bdi> {winner?.id === id && <Badge tone="good">Winner</Badge>}
                  </th>
                  <td>{number(units)}</td>
                  <td>{number(outcomes)}</td>
                  <td>{mean === null ? "–" : isValue ? number(mean) : percentage(100 * mean)}</td>
                  <td>{probabilityOfBest === null ? "Not enough data" : percentage(100 * probabilityOfBest)}</td>
                  <td>{percentage(share)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Section>
    </>
  );
}
