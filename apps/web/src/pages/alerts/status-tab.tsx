import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { type Alert, conditionInWords, describeStatus, EVENTS, isOpen } from "../../results/alert-words.ts";
import { useMetricLabel } from "../../results/use-metric-label.ts";
import { useRefusal } from "../../session/account.ts";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Section } from "../../shell/page.tsx";
import { Pager } from "../../shell/pager.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { ResolveAlert } from "./resolve-alert.tsx";

const SHOWN = 20;
/** The server checks as often as every minute. */
const REFRESH_MS = 60_000;

/** The result of the last check, and earlier events. */
export function StatusTab({ alert }: { alert: Alert }) {
  // The page shows the same read, so its badge follows.
  useQuery({ ...query("getAlert", { path: { id: alert.id } }), refetchInterval: REFRESH_MS });
  const [isResolving, setResolving] = useState(false);
  const refusal = useRefusal()("manage_alerts");
  const { name, tone } = describeStatus(alert);
  const { id } = alert.metrics.A;
  const metric = useMetricLabel(id);
  return (
    <>
      <Section title="Now">
        <dl className={entity.facts}>
          <dt>Status</dt>
          <dd className={entity.row}>
            <Badge tone={tone}>{name}</Badge>
            {isOpen(alert) && (
              <Button onPress={() => setResolving(true)} disabledReason={refusal}>
                Resolve
              </Button>
            )}
          </dd>
          <dt>Why</dt>
          <dd>
            <bdi>{alert.statusReason?.replace(id, metric) ?? "The first check runs within about a minute."}</bdi>
          </dd>
          <dt>Metric</dt>
          <dd>
            <EntityLink type="metric" id={id} name={metric} />
          </dd>
          <dt>Condition</dt>
          <dd>{conditionInWords(alert)}</dd>
          <dt>Last check</dt>
          <dd>{alert.checkedTime === null ? "None yet" : <Time time={alert.checkedTime} />}</dd>
          <dt>Last triggered</dt>
          <dd>{alert.lastTriggeredTime === null ? "Never" : <Time time={alert.lastTriggeredTime} />}</dd>
        </dl>
      </Section>
      <AlertEvents id={alert.id} nameMetric={(reason) => reason.replace(id, metric)} />
      {isResolving && <ResolveAlert alert={alert} onClose={() => setResolving(false)} />}
    </>
  );
}

/** @param nameMetric reasons of events from before metrics were named have the metric’s ID */
function AlertEvents({ id, nameMetric }: { id: string; nameMetric: (reason: string) => string }) {
  const [page, setPage] = useState(1);
  const { data, error } = useQuery({
    ...query("listAlertEvents", { path: { id }, query: { limit: SHOWN, page } }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (data === undefined) return null;
  return (
    <Section title="Events" description="Newest first.">
      {data.data.length === 0 ? (
        <p className={entity.soft}>No events yet.</p>
      ) : (
        <div className={entity.scroll}>
          <table className={entity.table} aria-label="Events">
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Event</th>
                <th scope="col">Why</th>
                <th scope="col">Message</th>
              </tr>
            </thead>
            <tbody>
              {data.data.map((event) => (
                <tr key={event.id}>
                  <th scope="row">
                    <Time time={event.createdTime} />
                  </th>
                  <td>
                    <Badge tone={EVENTS[event.eventType].tone}>{EVENTS[event.eventType].name}</Badge>
                    {event.resolvedBy !== null && (
                      <div className={entity.soft}>
                        by <bdi>{event.resolvedBy}</bdi>
                      </div>
                    )}
                  </td>
                  <td>
                    <bdi>{nameMetric(event.reason)}</bdi>
                  </td>
                  <td>
                    <bdi>{event.message}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data.pagination.totalItems > SHOWN && <Pager pagination={data.pagination} noun="events" onPage={setPage} />}
    </Section>
  );
}
