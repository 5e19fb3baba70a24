import { useQuery } from "@tanstack/react-query";
import { query } from "../../api.ts";
import { exact } from "../../charts/format.ts";
import { conditionInWords, describeStatus, EVENTS, TYPES } from "../../results/alert-words.ts";
import { nameInMetricID } from "../../targeting/metric-id.ts";
import { Badge } from "../../ui/badge.tsx";
import { Loading } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { durationInWords } from "../../ui/time-text.ts";
import { areDaysComparable, thresholdLevels } from "./alert-levels.ts";
import styles from "./dashboards.module.css";
import { MetricWidget } from "./metric-widget.tsx";
import { WidgetFailure } from "./widget-failure.tsx";

const SHOWN = 5;
/** The server checks as often as every minute. */
const REFRESH_MS = 60_000;

/** The status of an alert, the value of the last check, the metric by day with its thresholds, and the latest events. */
export function AlertWidget({ id }: { id: string }) {
  const { data, error, refetch } = useQuery({ ...query("getAlert", { path: { id } }), refetchInterval: REFRESH_MS });
  if (error) return <WidgetFailure noun="alert" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading label="Loading alert" />;
  const { data: alert } = data;
  const { name, tone } = describeStatus(alert);
  const { statusReason, value, checkedTime, metrics } = alert;
  const nameMetric = (reason: string) => reason.replace(metrics.A.id, nameInMetricID(metrics.A.id));
  return (
    <>
      <p className={styles.facts}>
        <Badge tone={tone}>{name}</Badge>
        {value !== null && (
          <span className={styles.value}>
            {exact(value)}
            {TYPES[alert.alertType].unit}
          </span>
        )}
        {checkedTime !== null && (
          <span className={styles.soft}>
            checked <Time time={checkedTime} />
          </span>
        )}
      </p>
      <p>
        <bdi>{statusReason === null ? "The first check runs within about a minute." : nameMetric(statusReason)}</bdi>
      </p>
      <p className={styles.soft}>Alert on a {conditionInWords(alert)}.</p>
      <MetricWidget id={metrics.A.id} levelsFor={(metric) => thresholdLevels(alert, metric)} />
      {!areDaysComparable(alert) && (
        <p className={styles.soft}>
          The chart shows whole days. The thresholds apply to the {TYPES[alert.alertType].subject} over {durationInWords(alert.windowMs)}.
        </p>
      )}
      <Events id={id} nameMetric={nameMetric} />
    </>
  );
}

function Events({ id, nameMetric }: { id: string; nameMetric: (reason: string) => string }) {
  const { data, error, refetch } = useQuery({
    ...query("listAlertEvents", { path: { id }, query: { limit: SHOWN } }),
    refetchInterval: REFRESH_MS,
  });
  if (error) return <WidgetFailure noun="alert" error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading label="Loading events" />;
  if (data.data.length === 0) return <p className={styles.soft}>No events yet.</p>;
  return (
    <ul className={styles.events} aria-label="Latest events">
      {data.data.map((event) => (
        <li key={event.id}>
          <span>
            <Badge tone={EVENTS[event.eventType].tone}>{EVENTS[event.eventType].name}</Badge>
          </span>
          <Time time={event.createdTime} />
          <bdi className={styles.soft}>{nameMetric(event.reason)}</bdi>
        </li>
      ))}
    </ul>
  );
}
