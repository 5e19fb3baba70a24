import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { explain } from "../../explain.ts";
import { accountQuery, useRefusal } from "../../session/account.ts";
import { Page } from "../../shell/page.tsx";
import { useOfferActions } from "../../shell/page-actions.ts";
import { Button } from "../../ui/button.tsx";
import { LOCALE } from "../../ui/locale.ts";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import styles from "./audit-log.module.css";
import { byDay, type Entry } from "./entries.ts";
import { EntryItem } from "./entry.tsx";
import { ExportDialog } from "./export.tsx";
import { Filters } from "./filters.tsx";
import { isFiltered, type View } from "./page-search.ts";
import { entriesRead } from "./reads.ts";

const FROM = "/projects/$projectID/audit-log";
const NOT_ADMINISTRATOR = "Only administrators of the instance read its audit log: sign-ins, people and projects.";

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
      () => (refused === undefined ? [{ id: "export", label: "Export what the filters select", run: () => setExporting(true) }] : []),
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
        label="Views of the audit log"
        selected={view}
        onSelect={(next) => void navigate({ search: ({ from, to }) => ({ from, to, ...(next !== "changes" && { view: next }) }) })}
        tabs={[
          { id: "changes", label: "Changes", content },
          { id: "trail", label: "Trail with addresses", content },
          { id: "instance", label: "Sign-ins and instance", content },
        ]}
      />
      {isExporting && <ExportDialog view={view} onClose={() => setExporting(false)} />}
    </Page>
  );
}

const SAID: Record<View, string> = {
  changes: "Who changed what in this project, and what it was before.",
  trail:
    "Everything that the server recorded of this project, with the address of each request: changes, refused writes, exports and keys.",
  instance: "What belongs to no project: sign-ins, sessions that ended, people and projects.",
};

function Entries({ view }: { view: View }) {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { data, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(entriesRead(view, search));
  const entries = useMemo((): Entry[] => data?.pages.flatMap((page) => page.entries) ?? [], [data]);
  const days = useMemo(() => byDay(entries, (time) => DAYS.format(time)), [entries]);
  return (
    <>
      <p className={styles.soft}>{SAID[view]}</p>
      <Filters view={view} actors={[...new Map(entries.map(({ actor }) => [actor.id, actor])).values()]} />
      {error !== null && <Notice tone="bad">{explain(error)}</Notice>}
      {isPending && <Loading label="Reading the audit log" />}
      {data !== undefined &&
        entries.length === 0 &&
        (isFiltered(search) ? (
          <Empty
            title="Nothing matches"
            action={<Button onPress={() => void navigate({ search: ({ view: kept }) => ({ view: kept }) })}>Clear the filters</Button>}
          />
        ) : (
          <Empty title="Nothing has happened yet">Every change from now on is here, for good.</Empty>
        ))}
      {days.map(({ day, entries: ofDay }) => (
        <section key={day} aria-label={day} className={styles.day}>
          <h2>{day}</h2>
          <ol className={styles.entries}>
            {ofDay.map((entry) => (
              <EntryItem key={entry.seq} entry={entry} />
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

const DAYS = new Intl.DateTimeFormat(LOCALE, { dateStyle: "full" });
