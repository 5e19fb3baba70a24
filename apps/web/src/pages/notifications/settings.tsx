import { useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { call, query, queryClient } from "../../api.ts";
import { explain } from "../../explain.ts";
import { useProject } from "../../session/account.ts";
import { Section } from "../../shell/page.tsx";
import { Checkbox, Switch } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { KINDS } from "./kinds.ts";
import styles from "./notifications.module.css";
import { KIND_IDS, type Kind } from "./page-search.ts";

/** A switch for each kind, and whether the person also gets it by email if the server sends any. Each is stored at once. */
export function NotificationSettings() {
  const { projectID } = useParams({ from: "/projects/$projectID/notifications" });
  const { name } = useProject();
  const request = query("getNotificationSettings", { path: { id: projectID } });
  const { data: answer } = useSuspenseQuery(request);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const { inbox, email } = answer.data;
  const turned = (kinds: readonly Kind[], kind: Kind, isOn: boolean) =>
    KIND_IDS.filter((one) => (one === kind ? isOn : kinds.includes(one)));
  const store = async (body: typeof answer.data) => {
    setPending(true);
    setError(undefined);
    try {
      queryClient.setQueryData(request.queryKey, await call("updateNotificationSettings", { path: { id: projectID }, body }));
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
              isSelected={inbox.includes(kind)}
              isReadOnly={isPending}
              onChange={(isOn) => void store({ inbox: turned(inbox, kind, isOn) })}
              aria-describedby={`about-${kind}`}
            >
              {KINDS[kind].label}
            </Switch>
            <p id={`about-${kind}`}>{KINDS[kind].help}</p>
            {email && (
              <Checkbox
                aria-label={`Email me about ${KINDS[kind].label.toLowerCase()}`}
                isSelected={email.includes(kind)}
                isDisabled={!inbox.includes(kind)}
                isReadOnly={isPending}
                onChange={(isOn) => void store({ inbox, email: turned(email, kind, isOn) })}
              >
                Also by email
              </Checkbox>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
