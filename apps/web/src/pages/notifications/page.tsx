import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { call, invalidate, query, type Schema } from "../../api.ts";
import { BASE_PATH } from "../../base-path.ts";
import { explain } from "../../explain.ts";
import { Page } from "../../shell/page.tsx";
import { Pager } from "../../shell/pager.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { Empty, Notice } from "../../ui/notice.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { KINDS } from "./kinds.ts";
import styles from "./notifications.module.css";
import { KIND_IDS, type Kind, type PageSearch, pageRequest, TABS, type Tab } from "./page-search.ts";
import { NotificationSettings } from "./settings.tsx";

type Notification = Schema<"Notification">;

const FROM = "/projects/$projectID/notifications";
const ANY = "any";
const OPTIONS = [{ id: ANY, label: "All kinds" }, ...KIND_IDS.map((id) => ({ id, label: KINDS[id].label }))];

/** The reader's notifications in the project, unread or all, and the settings for their kinds. */
export default function NotificationsPage() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const open = (tab: Tab) => {
    const { kind } = search;
    const kept = tab !== "settings" && kind !== undefined ? { kind } : {};
    void navigate({ search: tab === "unread" ? kept : { tab, ...kept } });
  };
  return (
    <Page title="Notifications">
      <Tabs
        label="Notifications"
        selected={search.tab ?? "unread"}
        onSelect={open}
        tabs={(Object.keys(TABS) as Tab[]).map((id) => ({
          id,
          label: TABS[id],
          content: () => (id === "settings" ? <NotificationSettings /> : <Notifications search={search} />),
        }))}
      />
    </Page>
  );
}

/** Marks notifications, and reads them again. @returns the error, if any */
async function mark(projectID: string, body: Schema<"NotificationMarks">): Promise<unknown> {
  try {
    await call("markNotifications", { path: { id: projectID }, body });
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await invalidate("listNotifications");
  }
}

function Notifications({ search }: { search: PageSearch }) {
  const navigate = useNavigate({ from: FROM });
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("listNotifications", pageRequest(search, projectID)));
  const [error, setError] = useState<unknown>();
  const { tab, kind } = search;
  const [latest] = answer.data;
  const markAll = async ({ id }: Notification) => {
    const fault = await mark(projectID, { isRead: true, until: id, ...(kind !== undefined && { kinds: [kind] }) });
    setError(fault);
    if (fault === undefined) toast({ text: "Marked as read" });
  };
  return (
    <div className={styles.notifications}>
      <div className={styles.tools}>
        <search aria-label="Filters">
          <Select
            label="Kind"
            isLabelHidden
            options={OPTIONS}
            value={kind ?? ANY}
            onChange={(id) => {
              const { page: _, kind: __, ...others } = search;
              void navigate({ search: { ...others, ...(id !== ANY && { kind: id as Kind }) } });
            }}
          />
        </search>
        {search.page === undefined && latest && (
          <Button onPress={() => void markAll(latest)}>{kind === undefined ? "Mark all as read" : "Mark these as read"}</Button>
        )}
      </div>
      {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
      {answer.data.length === 0 ? (
        <NoNotifications search={search} />
      ) : (
        <ol className={styles.list} aria-label={tab === undefined ? "Unread notifications" : "All notifications"}>
          {answer.data.map((one) => (
            <Item
              key={one.id}
              notification={one}
              showsState={tab !== undefined}
              onMark={async (isRead) => setError(await mark(projectID, { isRead, ids: [one.id] }))}
            />
          ))}
        </ol>
      )}
      <Pager
        pagination={answer.pagination}
        noun="notifications"
        onPage={(page) => {
          const { page: _, ...others } = search;
          void navigate({ search: { ...others, ...(page > 1 && { page }) } });
        }}
      />
    </div>
  );
}

function NoNotifications({ search: { tab, kind } }: { search: PageSearch }) {
  if (kind !== undefined) return <Empty title={`No ${tab === undefined ? "unread " : ""}notifications of this kind`} />;
  if (tab === undefined) return <Empty title="You’re all caught up">New notifications about your work are listed here.</Empty>;
  return (
    <Empty title="No notifications yet">
      You get one when a review waits for you, when someone mentions you, and when something happens to your gates, experiments, and alerts.
    </Empty>
  );
}

type ItemProps = { notification: Notification; showsState: boolean; onMark: (isRead: boolean) => Promise<void> };

function Item({ notification, showsState, onMark }: ItemProps) {
  const { id, kind, title, text, link, time, readTime } = notification;
  const isUnread = readTime === null;
  return (
    <li className={`${styles.item} ${isUnread ? styles.unread : ""}`}>
      <div className={styles.said}>
        <p className={styles.head}>
          <Link to={link.slice(BASE_PATH.length)} aria-describedby={`text-${id}`} onClick={() => void (isUnread && onMark(true))}>
            {title}
          </Link>
          {showsState && isUnread && <Badge tone="active">Unread</Badge>}
        </p>
        <p id={`text-${id}`}>
          <bdi>{text}</bdi>
        </p>
        <p className={styles.facts}>
          <span>{KINDS[kind].label}</span>
          <Time time={time} />
        </p>
      </div>
      <Button look="quiet" aria-describedby={`text-${id}`} onPress={() => void onMark(isUnread)}>
        {isUnread ? "Mark as read" : "Mark as unread"}
      </Button>
    </li>
  );
}
