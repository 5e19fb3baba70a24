import { useSuspenseQuery } from "@tanstack/react-query";
import { query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { PausedBy } from "../../guardrails/paused-by.tsx";
import { entityLabel } from "../../kinds/kinds.ts";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Page } from "../../shell/page.tsx";
import { isPaused, nextRollouts } from "../../targeting/next-rollouts.ts";
import { MAX_LISTED, PAUSED, STEPPING } from "../../targeting/rollout-requests.ts";
import { Empty, Notice } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/number-text.ts";
import { Time } from "../../ui/time.tsx";

/** Every rule with rollout steps to come: paused ones first, then the earliest next step. */
export default function RolloutsPage() {
  const { data: gates } = useSuspenseQuery(query("listGates", STEPPING));
  const { data: configs } = useSuspenseQuery(query("listDynamicConfigs", STEPPING));
  const { data: paused } = useSuspenseQuery(query("listGates", PAUSED));
  const moving = [...nextRollouts("gate", gates.data), ...nextRollouts("dynamic_config", configs.data)];
  const rollouts = [...nextRollouts("gate", paused.data), ...moving.toSorted((a, b) => a.time - b.time)];
  const isCut = [gates, configs, paused].some(({ pagination }) => pagination.totalItems > MAX_LISTED);
  if (rollouts.length === 0)
    return (
      <Page title="Rollouts">
        <Empty title="No rollouts in progress">
          Schedule a rollout in a rule of a gate or dynamic config. It’s listed here until its last step.
        </Empty>
      </Page>
    );
  return (
    <Page title="Rollouts">
      {isCut && <Notice>Only the {formatNumber(MAX_LISTED)} newest gates and dynamic configs are listed.</Notice>}
      <div className={entity.scroll}>
        <table className={entity.table} aria-label="Rollouts">
          <thead>
            <tr>
              {["Name", "Type", "Rule", "Now", "Next step", "Last step"].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rollouts.map(({ type, id, name, ruleID, rule, from, to, time, last, pausedBy }) => (
              <tr key={`${type} ${id} ${ruleID}`}>
                <th scope="row">
                  <EntityLink type={type} id={id} name={name} />
                </th>
                <td>{entityLabel(type)}</td>
                <td>
                  <bdi>{rule}</bdi>
                </td>
                <td>{from}%</td>
                <td>{isPaused({ pausedBy }) ? <PausedBy metrics={pausedBy} /> : <Step to={to} time={time} />}</td>
                <td>{isPaused({ pausedBy }) ? `${last.to}%` : <Step to={last.to} time={last.time} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Page>
  );
}

function Step({ to, time }: { to: number; time: number }) {
  return (
    <>
      {to}% <Time time={time} />
    </>
  );
}
