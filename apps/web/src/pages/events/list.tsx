import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams, useRouter, useSearch } from "@tanstack/react-router";
import { query, type Schema } from "../../api.ts";
import styles from "../../entity/entity.module.css";
import { useListFilter } from "../../entity/list-filters.tsx";
import { Page } from "../../shell/page.tsx";
import { useTypedText } from "../../shell/typed-text.ts";
import { internalMeaning } from "../../targeting/event-words.ts";
import { Button } from "../../ui/button.tsx";
import { SearchField } from "../../ui/field.tsx";
import { Empty, Notice } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/number-text.ts";
import { Table, type TableColumn } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { eventListRequest, MAX_NAMES } from "./search.ts";
import { type Sort, sortedNames, USUAL_SORT, usualOrder } from "./sorted-names.ts";

const FROM = "/projects/$projectID/events";
/** Running applications report all the time. */
const REFRESH_MS = 5_000;

/** The names under which applications report events: whether they report at all, and since when. */
export default function EventNames() {
  const search = useSearch({ from: FROM });
  const { projectID } = useParams({ from: FROM });
  const { buildLocation } = useRouter();
  const filter = useListFilter();
  const { data } = useSuspenseQuery({ ...query("listEvents", eventListRequest(search)), refetchInterval: REFRESH_MS });
  const [text, setText] = useTypedText(search.search ?? "", (typed) => filter({ search: typed === "" ? undefined : typed }));
  const sort: Sort = search.sort ?? USUAL_SORT;
  const order = search.order ?? usualOrder(sort);
  return (
    <Page title="Events">
      <p className={styles.soft}>Events from your applications, updated within seconds.</p>
      <search className={styles.filters} aria-label="Filters">
        <SearchField label="Search events" placeholder="Search by name" value={text} onChange={setText} />
      </search>
      {data.pagination.totalItems > MAX_NAMES && (
        <Notice tone="info">
          Showing the first {formatNumber(MAX_NAMES)} of {formatNumber(data.pagination.totalItems)} names in alphabetical order. Search to
          find others.
        </Notice>
      )}
      <Table
        label="Events"
        columns={COLUMNS}
        items={sortedNames(data.data, sort, order)}
        getID={({ name }) => name}
        href={({ name }) => buildLocation({ to: "/projects/$projectID/events/$name", params: { projectID, name } }).href}
        sort={{ column: sort, direction: order === "asc" ? "ascending" : "descending" }}
        onSort={({ column, direction }) => filter({ sort: column, order: direction === "ascending" ? "asc" : "desc" })}
        empty={
          search.search === undefined ? (
            <Empty
              title="No events yet"
              action={
                <Link to="/projects/$projectID/start" params={{ projectID }}>
                  Connect an SDK
                </Link>
              }
            >
              Events appear when an SDK checks a gate or your application logs one.
            </Empty>
          ) : (
            <Empty title="No matching events" action={<Button onPress={() => filter({ search: undefined })}>Clear search</Button>} />
          )
        }
      />
    </Page>
  );
}

const COLUMNS: TableColumn<Schema<"EventName">>[] = [
  {
    id: "name",
    name: "Name",
    width: "2fr",
    minWidth: 180,
    isRowHeader: true,
    allowsSorting: true,
    cell: ({ name }) => (
      <span className={styles.name} title={name}>
        <bdi>{internalMeaning(name) ?? name}</bdi>
        {internalMeaning(name) !== undefined && <span className={styles.soft}>{name}</span>}
      </span>
    ),
  },
  { id: "count", name: "Events", width: 120, allowsSorting: true, cell: ({ count: events }) => formatNumber(events) },
  { id: "firstTime", name: "First", width: 140, cell: ({ firstTime }) => <Time time={firstTime} /> },
  { id: "lastTime", name: "Last", width: 140, allowsSorting: true, cell: ({ lastTime }) => <Time time={lastTime} /> },
];
