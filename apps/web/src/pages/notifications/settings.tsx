import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { call, query, queryClient } from "../../api.ts";
import { explain } from "../../explain.ts";
import { useProject } from "../../session/account.ts";
import { Section } from "../../shell/page.tsx";
import { Switch } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { KINDS } from "./kinds.ts";
import styles from "./notifications.module.css";
import { KIND_IDS, type Kind } from "./page-search.ts";

/** A switch for each kind. Each is stored at once. */
export function NotificationSettings() {
  const { projectID } = useParams({ from: "/projects/$projectID/notifications" });
  const { name } = useProject();
  const request = query("getNotificationSettings", { path: { id: projectID } });
  const { data: answer } = useSuspenseQuery(request);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const turn = async (kind: Kind, isOn: boolean) => {
    const inbox = KIND_IDS.filter((one) => (one === kind ? isOn : answer.data.inbox.includes(one)));
    setPending(true);
    setError(undefined);
    try {
      queryClient.setQueryData(request.queryKey, await call("updateNotificationSettings", { path: { id: projectID }, body: { inbox } }));
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  return (
    <Section
      title="Notification settings"
      description={
        <>
          Choose what you’re notified of in <bdi>{name}</bdi>. You’re never notified of what you do yourself.
        </>
      }
    >
      {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
      <ul className={styles.settings}>
        {KIND_IDS.map((kind) => (
          <li key={kind}>
            <Switch
              isSelected={answer.data.inbox.includes(kind)}
              isReadOnly={isPending}
              onChange={(isOn) => void turn(kind, isOn)}
              aria-describedby={`about-${kind}`}
            >
              {KINDS[kind].label}
            </Switch>
            <p id={`about-${kind}`}>{KINDS[kind].help}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
