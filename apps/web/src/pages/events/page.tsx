import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { query } from "../../api.ts";
import { StackedBars } from "../../charts/stacked-bars.tsx";
import entity from "../../entity/entity.module.css";
import { Page, Section } from "../../shell/page.tsx";
import { Pager } from "../../shell/pager.tsx";
import { useTypedText } from "../../shell/typed-text.ts";
import { internalMeaning } from "../../targeting/event-words.ts";
import { Button } from "../../ui/button.tsx";
import { SearchField } from "../../ui/field.tsx";
import { Empty } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/number-text.ts";
import { EventMetrics } from "./event-metrics.tsx";
import { EventTable } from "./event-table.tsx";
import { eventPageRequest } from "./search.ts";

const FROM = "/projects/$projectID/events/$name";
const DAY_MS = 24 * 3_600_000;
const DAYS = 30;
/** The newest events follow one another while an application runs. */
const REFRESH_MS = 2_000;
/** The number of events that a filter searches, as the contract says. */
const SEARCHED = formatNumber(10_000);

/** The events of one name: how many on each day, and the newest as they arrive. */
export default function EventPage() {
  const { projectID, name } = useParams({ from: FROM });
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { data: counts } = useSuspenseQuery({ ...query("getEventCounts", { path: { eventName: name } }), refetchInterval: REFRESH_MS });
  const { data: events } = useSuspenseQuery({ ...query("listEventValues", eventPageRequest(name, search)), refetchInterval: REFRESH_MS });
  const setUser = (user: string) => void navigate({ search: user === "" ? {} : { user }, replace: true });
  const [text, setText] = useTypedText(search.user ?? "", setUser);
  const end = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
  const start = end - DAYS * DAY_MS;
  const points = counts.data.map(({ date, count }) => ({ time: Date.parse(date), value: count })).filter(({ time }) => time >= start);
  return (
    <Page
      title={internalMeaning(name) ?? name}
      above={
        <Link to="/projects/$projectID/events" params={{ projectID }}>
          Events
        </Link>
      }
    >
      {internalMeaning(name) !== undefined && <p className={entity.soft}>Logged as {name}.</p>}
      <Section title="By day" description={`Events from the last ${DAYS} days. Days are in UTC.`}>
        <StackedBars
          title="Events by day"
          unit="events"
          start={start}
          end={end}
          interval="day"
          now={Date.now()}
          series={points.length === 0 ? [] : [{ id: "events", label: "Events", points }]}
          empty="No events in this period."
        />
      </Section>
      <EventMetrics name={name} />
      <Section title="Latest" description="Newest first, live.">
        <search className={entity.filters} aria-label="Filters">
          <SearchField label="User ID" placeholder="Filter by user ID" value={text} onChange={setText} />
        </search>
        {search.user !== undefined && <p className={entity.soft}>Among the {SEARCHED} latest events.</p>}
        {events.data.length === 0 ? (
          search.user === undefined ? (
            <Empty title="No stored events with this name">Events are kept for a limited time.</Empty>
          ) : (
            <Empty title="No events of this user" action={<Button onPress={() => setText("")}>Show all users</Button>} />
          )
        ) : (
          <EventTable name={name} events={events.data} />
        )}
        <Pager
          pagination={events.pagination}
          noun="events"
          onPage={(page) => void navigate({ search: ({ page: _, ...known }) => (page > 1 ? { ...known, page } : known) })}
        />
      </Section>
    </Page>
  );
}
