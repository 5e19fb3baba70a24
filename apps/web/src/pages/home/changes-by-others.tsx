import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { call, currentProjectID, query, type Schema } from "../../api.ts";
import { Undo } from "../../entity/undo.tsx";
import { useNames, useRecordedWords } from "../../entity/use-change-words.ts";
import { explain } from "../../explain.ts";
import { ChangeList } from "../../saving/changes.tsx";
import { useAccount } from "../../session/account.ts";
import { Section } from "../../shell/page.tsx";
import type { KnownNames } from "../../targeting/field-words.ts";
import { Button } from "../../ui/button.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { ChangedEntity } from "./changed-entity.tsx";
import { ChangesOfRequest } from "./changes-of-request.tsx";
import styles from "./home.module.css";
import { readUntilOthers } from "./read-on.ts";
import { inRows, ownLastChange, type Recent, recentChanges } from "./recent-changes.ts";
import { useSeenUntil } from "./seen.ts";

const [HOUR_MS, WEEK_MS] = [3_600_000, 7 * 86_400_000];
const READ = 100;
const SHOWN = 20;
const MAX_PAGES = 5;

/** The start of this hour a week ago, so that both sections read the same changes once. */
function useWeekAgo(): number {
  const [start] = useState(() => Math.floor(Date.now() / HOUR_MS) * HOUR_MS - WEEK_MS);
  return start;
}

/** Others' changes since the reader last marked them as seen. At first: in the last week. */
export function ChangesByOthers() {
  const { projectID } = useParams({ from: "/projects/$projectID/" });
  const { person } = useAccount();
  const [seenUntil, setSeenUntil] = useSeenUntil(projectID, person.id);
  const aWeekAgo = useWeekAgo();
  const startTime = seenUntil ?? aWeekAgo;
  const request = { startTime, limit: READ };
  const { data, error } = useQuery(query("listChanges", { query: request }));
  const { data: found } = useQuery({
    queryKey: ["listChanges", currentProjectID(), startTime, data?.data, "others"],
    queryFn: ({ signal }) =>
      readUntilOthers(data?.data ?? [], async (before) => (await call("listChanges", { query: { ...request, before }, signal })).data, {
        ...{ personID: person.id, wanted: SHOWN, pageSize: READ, maxPages: MAX_PAGES },
      }),
    enabled: data !== undefined,
    // The list stays while newer changes are read, and with it a review of an undo.
    placeholderData: (known, before) =>
      before?.queryKey[1] === currentProjectID() && before?.queryKey[2] === startTime ? known : undefined,
  });
  const recent = recentChanges(found ?? [], person.id, useNames());
  const [newest] = data?.data ?? [];
  const item = (one: Recent) => (
    <li key={one.seq}>
      <span className={styles.name}>
        <bdi>{one.actor}</bdi> {one.deed} <ChangedEntity change={one} projectID={projectID} />
      </span>
      {one.count > 1 && <span className={styles.soft}>{one.count} changes</span>}
      <span className={styles.soft}>
        <Time time={one.time} />
      </span>
      <Undo change={one} />
    </li>
  );
  return (
    <Section
      title="Changes by others"
      description={
        seenUntil === undefined ? (
          "Last 7 days."
        ) : (
          <>
            Since <Time time={seenUntil} />, when you marked them as seen.
          </>
        )
      }
      actions={recent.length > 0 && newest && <Button onPress={() => setSeenUntil(newest.time + 1)}>Mark as seen</Button>}
    >
      {error && <Notice tone="bad">{explain(error)}</Notice>}
      {!found && !error && <Loading label="Loading changes" />}
      {found && recent.length === 0 && <p className={styles.soft}>No recent activity.</p>}
      {recent.length > 0 && (
        <ul className={styles.list} aria-label="Changes by others">
          {inRows(recent)
            .slice(0, SHOWN)
            .map((row) =>
              row.length === 1 ? (
                item(row[0])
              ) : (
                <ChangesOfRequest key={`request ${row[0].seq}`} changes={row} projectID={projectID} item={item} />
              ),
            )}
        </ul>
      )}
      {newest && (
        <p className={styles.soft}>
          <Link to="/projects/$projectID/audit-log" params={{ projectID }}>
            More in the audit log
          </Link>
        </p>
      )}
    </Section>
  );
}

/** The reader's last change in the last week, to undo it. Nothing if they made none. */
export function OwnLastChange() {
  const { projectID } = useParams({ from: "/projects/$projectID/" });
  const { person } = useAccount();
  const startTime = useWeekAgo();
  const { data } = useQuery(query("listChanges", { query: { startTime, limit: READ } }));
  const names = useNames();
  const own = ownLastChange(data?.data ?? [], person.id, names);
  const change = data?.data.find(({ seq }) => seq === own?.seq);
  if (own === undefined) return null;
  return (
    <Section title="Your last change">
      <ul className={styles.list}>
        <li>
          <span className={styles.name}>
            You {own.deed} <ChangedEntity change={own} projectID={projectID} />
          </span>
          <span className={styles.soft}>
            <Time time={own.time} />
          </span>
          <Undo key={own.seq} change={own} />
          {own.deed === "changed" && change && <Words change={change} names={names} />}
        </li>
      </ul>
    </Section>
  );
}

/** Describes a change as its review does. */
function Words({ change: { entityType, entityID, fields, version }, names }: { change: Schema<"Change">; names: KnownNames }) {
  const [changes = []] = useRecordedWords([{ entityType, entityID, fields, version, isRead: true }], names);
  return (
    <div className={styles.words}>
      <ChangeList entities={[{ entityType, entityID, title: [], changes }]} />
    </div>
  );
}
