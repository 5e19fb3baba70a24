import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { query, type Schema } from "../../api.ts";
import { counted, exact } from "../../charts/format.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { DAY_STATES, stateOfDay } from "../../ingestion/ingestion-words.ts";
import { type Days, faultOfDays, MOST_DAYS } from "../../ingestion/utc-days.ts";
import { Section } from "../../shell/page.tsx";
import { Badge } from "../../ui/badge.tsx";
import { DateField } from "../../ui/date-field.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { date as dateName } from "../../ui/time-text.ts";
import { type Delta, formatDifference, listDeltas, MOST_SHOWN } from "./deltas.ts";
import { parseDays, usualDays } from "./shown-days.ts";

const FROM = "/projects/$projectID/ingestion-sources/$id";
/** While rows are copied, and otherwise. */
const [REFRESH_MS, SLOW_REFRESH_MS] = [2_000, 30_000];

type Status = Schema<"IngestionStatus">;

/** Rows copied of each day, and differences from the warehouse. The address has the range of days. */
export default function DaysTab({ name }: { name: string }) {
  const { from, to } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const [now] = useState(Date.now);
  const usual = usualDays(now);
  const [given, setGiven] = useState<Days>({ first: from ?? usual.first, last: to ?? usual.last });
  const asked = parseDays({ ...(from && { from }), ...(to && { to }) }, now);
  const fault = faultOfDays(given);
  const edit = (changed: Partial<Days>) => {
    const days = { ...given, ...changed };
    setGiven(days);
    if (faultOfDays(days) === undefined)
      void navigate({ search: (known) => ({ ...known, from: days.first, to: days.last }), replace: true });
  };
  return (
    <>
      <Section title="Period" description={`Days are in UTC. Choose up to ${MOST_DAYS}.`}>
        <div className={entity.row}>
          <DateField label="First day" value={given.first} onChange={(first) => edit({ first })} error={fault?.first} />
          <DateField label="Last day" value={given.last} onChange={(last) => edit({ last })} error={fault?.last} />
        </div>
      </Section>
      {asked !== undefined && (
        <>
          <DayStates name={name} days={asked} />
          <EventDeltas name={name} days={asked} />
        </>
      )}
    </>
  );
}

type OfDays = { name: string; days: Days };

function DayStates({ name, days: { first, last } }: OfDays) {
  const { data, error } = useQuery({
    ...query("listIngestionStatuses", { query: { startDate: first, endDate: last, source: name, limit: MOST_DAYS } }),
    refetchInterval: ({ state }) => (state.data?.data.some(({ status }) => status === "running") ? REFRESH_MS : SLOW_REFRESH_MS),
    placeholderData: keepPreviousData,
  });
  return (
    <Section title="Days" description="Results of the runs by day, newest first.">
      {error && <Notice tone="bad">{explain(error)}</Notice>}
      {data === undefined && !error && <Loading label="Loading days" />}
      {data?.data.length === 0 && <p className={entity.soft}>These days haven’t been copied yet.</p>}
      {data !== undefined && data.data.length > 0 && <StateTable days={data.data} />}
    </Section>
  );
}

function StateTable({ days }: { days: readonly Status[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={entity.scroll} tabIndex={0} aria-label="Days table">
      <table className={entity.table} aria-label="Days">
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">State</th>
            <th scope="col">In the warehouse</th>
            <th scope="col">Copied</th>
            <th scope="col">Refused</th>
            <th scope="col">Message</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          {days.map((day) => {
            const state = DAY_STATES[stateOfDay(day)];
            return (
              <tr key={day.ds}>
                <th scope="row">{dateName(Date.parse(day.ds), "utc")}</th>
                <td>
                  <Badge tone={state.tone}>{state.name}</Badge>
                </td>
                <td>{exact(day.rowCount)}</td>
                <td>{exact(day.copiedCount)}</td>
                <td>{exact(day.refusedCount)}</td>
                <td>
                  <bdi>{day.message}</bdi>
                </td>
                <td>
                  <Time time={Date.parse(day.timestamp)} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

function EventDeltas({ name, days: { first, last } }: OfDays) {
  const [onlyDifferent, setOnlyDifferent] = useState(false);
  const { data, error } = useQuery({
    ...query("listIngestionEventDeltas", { query: { start_date: first, end_date: last, source_name: name } }),
    refetchInterval: SLOW_REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const all = data === undefined ? [] : listDeltas(data.data).filter(({ has_diff }) => has_diff || !onlyDifferent);
  const shown = all.slice(0, MOST_SHOWN);
  return (
    <Section title="Events" description="Copied rows per day and event, compared with the warehouse at the last run.">
      {error && <Notice tone="bad">{explain(error)}</Notice>}
      {data === undefined && !error && <Loading label="Loading events" />}
      {data !== undefined && (
        <>
          <Checkbox isSelected={onlyDifferent} onChange={setOnlyDifferent}>
            Only differences
          </Checkbox>
          {all.length > shown.length && (
            <Notice>
              Showing the first {exact(shown.length)} of {counted(all.length, "rows")}. Choose fewer days to see the rest.
            </Notice>
          )}
          {shown.length === 0 ? (
            <p className={entity.soft}>{onlyDifferent ? "No differences on these days." : "No rows on these days yet."}</p>
          ) : (
            <DeltaTable deltas={shown} />
          )}
        </>
      )}
    </Section>
  );
}

function DeltaTable({ deltas }: { deltas: readonly Delta[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={entity.scroll} tabIndex={0} aria-label="Events table">
      <table className={entity.table} aria-label="Events">
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Event</th>
            <th scope="col">Copied</th>
            <th scope="col">In the warehouse</th>
            <th scope="col">Difference</th>
            <th scope="col">Read</th>
          </tr>
        </thead>
        <tbody>
          {deltas.map((delta) => (
            <tr key={`${delta.date} ${delta.event}`}>
              <td>{dateName(Date.parse(delta.date), "utc")}</td>
              <th scope="row">
                <bdi>{delta.event}</bdi>
              </th>
              <td>{exact(delta.internal_count)}</td>
              <td>{exact(delta.external_count)}</td>
              <td>{delta.has_diff ? <Badge tone="warn">{formatDifference(delta)}</Badge> : formatDifference(delta)}</td>
              <td>
                <Time time={Date.parse(delta.last_updated_time)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
