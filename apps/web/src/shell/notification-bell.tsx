import { useQuery } from "@tanstack/react-query";
import { Link, useRouterState } from "@tanstack/react-router";
import { Bell } from "lucide-react";
import { useEffect } from "react";
import { query } from "../api.ts";
import { useProject } from "../session/account.ts";
import styles from "./notification-bell.module.css";
import shell from "./shell.module.css";

const MAX_SHOWN = 99;

/**
 * Leads to the notifications, with the number of unread ones, which is announced when it changes. It is asked for again on each page, when the window
 * gets the focus, and after changes in the project. A timer would keep an unused session from ending.
 */
export function NotificationBell() {
  const { id: projectID } = useProject();
  const request = query("listNotifications", { path: { id: projectID }, query: { unread: true, limit: 1 } });
  // Without an answer the bell has no number. The page says what is wrong.
  const { data, refetch } = useQuery(request);
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  useEffect(() => {
    if (pathname !== undefined) void refetch({ cancelRefetch: false });
  }, [pathname, refetch]);
  const count = data?.pagination.totalItems ?? 0;
  const label = count === 0 ? "Notifications" : `Notifications, ${count} unread`;
  return (
    <>
      <Link to="/projects/$projectID/notifications" params={{ projectID }} className={styles.bell} aria-label={label} title={label}>
        <Bell aria-hidden="true" />
        {count > 0 && (
          <span className={styles.count} aria-hidden="true">
            {count > MAX_SHOWN ? `${MAX_SHOWN}+` : count}
          </span>
        )}
      </Link>
      <span role="status" aria-live="polite" className={shell.announcer}>
        {count === 0 ? "" : count === 1 ? "1 unread notification" : `${count} unread notifications`}
      </span>
    </>
  );
}
