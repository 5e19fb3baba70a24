import { Shares } from "../../charts/shares.tsx";
import entity from "../../entity/entity.module.css";
import { Section } from "../../shell/page.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { type Autotune, autotuneState, explorationEnd, waitsFor } from "./states.ts";

const PERCENT = new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 1 });
const NUMBER = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 4 });

/** The server's knowledge of each variant, and its consequences. */
export default function LearningTab({ autotune }: { autotune: Autotune }) {
  const { progress, variants, optimizationParameter, startTime, winner } = autotune;
  const state = autotuneState(autotune);
  if (progress === null || progress === undefined || startTime === null || startTime === undefined)
    return (
      <Section title="What it has learned">
        <p>
          It is not started: everybody gets the value of the first variant. Start it once its variants and its outcome are as you want them.
        </p>
      </Section>
    );
  const isValue = optimizationParameter === "value";
  const findName = (id: string) => variants.find((variant) => variant.id === id)?.name ?? id;
  return (
    <>
      {winner !== null && winner !== undefined && (
        <Notice tone="good" title={`${winner.name} has won`}>
          <bdi>{autotune.decisionReason || "No reason is given."}</bdi> Everybody gets it since <Time time={autotune.decisionTime ?? 0} />.
        </Notice>
      )}
      <Section title="Traffic">
        <Shares
          title="Traffic of each variant"
          unit="users"
          shares={progress.variants.map(({ id, share }) => ({ id, label: findName(id), percent: share }))}
        />
      </Section>
      <Section title="What it has learned">
        {state === "running" && <p>{waitsFor(autotune, Date.now())}</p>}
        <p className={entity.soft}>
          Started <Time time={startTime} />
          {state === "running" && (
            <>
              , exploring until <Time time={explorationEnd(autotune)} />
            </>
          )}
          .{" "}
          {progress.checkedTime === null ? (
            "Not checked yet. The first check runs within a minute of the start, then every hour."
          ) : (
            <>
              Last checked <Time time={progress.checkedTime} />.
            </>
          )}
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <section className={entity.scroll} aria-label="What is known of each variant" tabIndex={0}>
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
                  <td>{NUMBER.format(units)}</td>
                  <td>{NUMBER.format(outcomes)}</td>
                  <td>{mean === null ? "–" : isValue ? NUMBER.format(mean) : PERCENT.format(mean)}</td>
                  <td>{probabilityOfBest === null ? "Not known yet" : PERCENT.format(probabilityOfBest)}</td>
                  <td>{PERCENT.format(share / 100)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Section>
    </>
  );
}
