import { useInfiniteQuery, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { query } from "../../api.ts";
import { useNames } from "../../entity/use-change-words.ts";
import { explain } from "../../explain.ts";
import { accountQuery, useRefusal } from "../../session/account.ts";
import { actorWords } from "../../shell/actor-words.ts";
import { Page } from "../../shell/page.tsx";
import { useOfferActions } from "../../shell/page-actions.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { longDate } from "../../ui/time-text.ts";
import styles from "./audit-log.module.css";
import { byDay, deletedIn, type Entry, entityKey, newestIn } from "./entries.ts";
import { EntryItem } from "./entry.tsx";
import { ExportDialog } from "./export.tsx";
import { Filters } from "./filters.tsx";
import { isFiltered, type View } from "./page-search.ts";
import { entriesRead } from "./reads.ts";

const FROM = "/projects/$projectID/audit-log";
/** The latest reviews, whose entries say what they change. */
const MAX_REVIEWS = 100;
const NOT_ADMINISTRATOR = "Only server administrators can view the server’s audit log.";

export default function AuditLogPage() {
  const { view = "changes" } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const [isExporting, setExporting] = useState(false);
  const { data: account } = useSuspenseQuery(accountQuery());
  const refusal = useRefusal();
  const refusals: Record<View, string | undefined> = {
    changes: refusal("read"),
    trail: refusal("read_audit_logs"),
    instance: account.data.person.isAdministrator ? undefined : NOT_ADMINISTRATOR,
  };
  const refused = refusals[view];
  useOfferActions(
    useMemo(
      () => (refused === undefined ? [{ id: "export", label: "Export filtered entries", run: () => setExporting(true) }] : []),
      [refused],
    ),
  );
  const content = () => (refused === undefined ? <Entries view={view} /> : <Notice>{refused}</Notice>);
  return (
    <Page
      title="Audit log"
      actions={
        <Button onPress={() => setExporting(true)} disabledReason={refused}>
          <Download aria-hidden="true" />
          Export
        </Button>
      }
    >
      <Tabs
        label="Audit log views"
        selected={view}
        onSelect={(next) => void navigate({ search: ({ from, to }) => ({ from, to, ...(next !== "changes" && { view: next }) }) })}
        tabs={[
          { id: "changes", label: "Changes", content },
          { id: "trail", label: "Full audit log", content },
          { id: "instance", label: "Sign-ins and server", content },
        ]}
      />
      {isExporting && <ExportDialog view={view} onClose={() => setExporting(false)} />}
    </Page>
  );
}

const SAID: Record<View, string> = {
  changes: "All changes in this project.",
  trail: "Changes, refused requests, exports, and keys, with the IP address of each request.",
  instance: "Sign-ins, ended sessions, people, and projects of the whole server.",
};

function Entries({ view }: { view: View }) {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(entriesRead(view, search));
  const entries = useMemo((): Entry[] => data?.pages.flatMap((page) => page.entries) ?? [], [data]);
  const names = useNames();
  const hasReviews = entries.some(({ entity }) => entity?.type === "review");
  const { data: reviews } = useQuery({ ...query("listReviews", { query: { limit: MAX_REVIEWS } }), enabled: hasReviews });
  const gone = useMemo(() => deletedIn(entries), [entries]);
  const newest = useMemo(() => newestIn(entries), [entries]);
  const days = useMemo(() => byDay(entries, longDate), [entries]);
  return (
    <>
      <p className={styles.soft}>{SAID[view]}</p>
      <Filters
        view={view}
        actors={[...new Map(entries.map(({ actor }) => [actor.id, { id: actor.id, name: actorWords(actor, names) }])).values()]}
      />
      {error !== null && <Notice tone="bad">{explain(error)}</Notice>}
      {isPending && <Loading label="Loading audit log" />}
      {data !== undefined &&
        entries.length === 0 &&
        (isFiltered(search) ? (
          <Empty
            title="No matching entries"
            action={<Button onPress={() => void navigate({ search: ({ view: kept }) => ({ view: kept }) })}>Clear filters</Button>}
          />
        ) : (
          <Empty title="No entries yet">Changes appear here and are kept for good.</Empty>
        ))}
      {days.map(({ day, entries: ofDay }) => (
        <section key={day} aria-label={day} className={styles.day}>
          <h2>{day}</h2>
          <ol className={styles.entries}>
            {ofDay.map((entry) => (
              <EntryItem
                key={entry.seq}
                entry={entry}
                names={names}
                review={reviews?.data.find(({ id }) => id === entry.entity?.id)}
                isGone={gone.has(entityKey(entry))}
                isLatest={newest.get(entityKey(entry)) === entry.seq}
              />
            ))}
          </ol>
        </section>
      ))}
      {hasNextPage && (
        <div>
          <Button onPress={() => void fetchNextPage()} isPending={isFetchingNextPage}>
            Show older
          </Button>
        </div>
      )}
    </>
  );
}
