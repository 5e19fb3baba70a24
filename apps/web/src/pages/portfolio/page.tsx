import { useSuspenseQuery } from "@tanstack/react-query";
import { query, type Schema } from "../../api.ts";
import { counted, percentage, share, signed } from "../../charts/format.ts";
import entity from "../../entity/entity.module.css";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Page, Section } from "../../shell/page.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Empty } from "../../ui/notice.tsx";

type Portfolio = Schema<"ExperimentPortfolio">;

/** Decided experiments: how many won, and what they add up to. */
export default function PortfolioPage() {
  const { data } = useSuspenseQuery(query("getExperimentPortfolio", {}));
  const { data: teams } = useSuspenseQuery(query("listTeams", { query: { limit: 100 } }));
  const teamNames = new Map(teams.data.map(({ id, name }) => [id, name]));
  const portfolio = data.data;
  const { experiments, moreExperiments } = portfolio;
  if (experiments.length === 0)
    return (
      <Page title="Portfolio">
        <Empty title="No decided experiments yet">Decide an experiment to see how often your experiments win.</Empty>
      </Page>
    );
  const wins = experiments.filter(({ isWin }) => isWin).length;
  return (
    <Page title="Portfolio">
      <p>
        {counted(wins, "wins")} in {counted(experiments.length, "decided experiments")} ({share(wins, experiments.length)}).
        {moreExperiments > 0 && ` ${counted(moreExperiments, "earlier experiments")} aren't counted.`}
      </p>
      <Quarters portfolio={portfolio} teamNames={teamNames} />
      {portfolio.metrics.map((metric) => (
        <Metric key={metric.metricID} metric={metric} experiments={experiments} />
      ))}
    </Page>
  );
}

function Quarters({ portfolio, teamNames }: { portfolio: Portfolio; teamNames: ReadonlyMap<string, string> }) {
  return (
    <Section
      title="Win rate"
      description="An experiment wins if it ships another group than the control group and a primary metric is significantly better."
    >
      <div className={entity.scroll}>
        <table className={entity.table} aria-label="Win rate by quarter and team">
          <thead>
            <tr>
              {["Quarter", "Team", "Decided", "Shipped", "Wins", "Win rate"].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {portfolio.quarters.map(({ quarter, teamID, decided, shipped, wins }) => (
              <tr key={`${quarter} ${teamID}`}>
                <th scope="row">{quarter}</th>
                <td>
                  <bdi>{teamID === null ? "No team" : (teamNames.get(teamID) ?? teamID)}</bdi>
                </td>
                <td>{decided}</td>
                <td>{shipped}</td>
                <td>{wins}</td>
                <td>{share(wins, decided)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

type MetricProps = { metric: Portfolio["metrics"][number]; experiments: Portfolio["experiments"] };

function Metric({ metric, experiments }: MetricProps) {
  const { metricName, effects, cumulative } = metric;
  const names = new Map(experiments.map(({ experimentID, experimentName }) => [experimentID, experimentName]));
  return (
    <Section
      title={metricName}
      description="Measured changes of winners are too large on average (winner's curse). Corrected changes are shrunk towards the mean of all experiments (± 2 standard errors)."
    >
      {cumulative && (
        <p>
          {counted(cumulative.experiments, "shipped experiments")} together changed it by {percentText(cumulative.shrunkenChange)} ±{" "}
          {percentage(2 * cumulative.shrunkenError)}, assuming that effects add up. Measured: {percentText(cumulative.change)}.
        </p>
      )}
      <div className={entity.scroll}>
        <table className={entity.table} aria-label={`Changes of ${metricName}`}>
          <thead>
            <tr>
              {["Experiment", "Decision", "Measured change", "Corrected change"].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {effects.map(({ experimentID, isShipped, change, standardError, shrunkenChange, shrunkenError }) => (
              <tr key={experimentID}>
                <th scope="row">
                  <EntityLink type="experiment" id={experimentID} name={names.get(experimentID) ?? experimentID} />
                </th>
                <td>{isShipped ? <Badge tone="good">Shipped</Badge> : <Badge>Not shipped</Badge>}</td>
                <td>
                  {percentText(change)} ± {percentage(2 * standardError)}
                </td>
                <td>
                  {percentText(shrunkenChange)} ± {percentage(2 * shrunkenError)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

const percentText = (percent: number): string => `${signed(percent)}%`;
