import { useState } from "react";
import type { Schema } from "../../api.ts";
import { useChangeWords, useNames } from "../../entity/use-change-words.ts";
import { entityLabel, entityNoun } from "../../kinds/kinds.ts";
import { AffectedEnvironments } from "../../saving/affected-environments.tsx";
import { ChangeList } from "../../saving/changes.tsx";
import { StartsRelease, withoutReleases } from "../../saving/starts-release.tsx";
import { EntityLink } from "../../shell/entity-link.tsx";
import { repetitionText } from "../../targeting/repetition.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { moment } from "../../ui/time-text.ts";
import { CancelChange, MoveChange } from "./dialogs.tsx";
import { STATUSES } from "./page-search.ts";
import styles from "./scheduled-changes.module.css";

type ScheduledChange = Schema<"ScheduledChange">;

/** The most entities that the heading of a change names. */
const MAX_NAMED = 3;

/** A scheduled change: what it changes, when, and in whose name. */
export function ScheduledItem({ change }: { change: ScheduledChange }) {
  const { id, status, applyAt, repeat, author, reason, createdTime, error, changes } = change;
  const [open, setOpen] = useState<"move" | "cancel">();
  const { name, tone } = STATUSES[status];
  const { described, environments } = useChangeWords(withoutReleases(changes), useNames());
  const close = () => setOpen(undefined);
  return (
    <li className={styles.item} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>
          <Entities change={change} />
        </h2>
        <Badge tone={tone}>{name}</Badge>
        <span className={styles.when}>
          {moment(applyAt)} (<Time time={applyAt} />)
        </span>
      </div>
      {repeat !== undefined && (
        <p>
          Repeats: {repetitionText(repeat)}
          {repeat.until !== null && `, until ${moment(repeat.until)}`}
        </p>
      )}
      {error !== null && (
        <Notice tone="bad" title="This change wasn’t applied">
          {error.message}
        </Notice>
      )}
      <ChangeList entities={described.flat()} />
      <AffectedEnvironments of={environments} />
      {status === "SCHEDULED" && <StartsRelease changes={changes} />}
      <p className={styles.facts}>
        <span>
          Scheduled by <bdi>{author.name ?? author.email ?? author.id}</bdi> <Time time={createdTime} />
        </span>
        {reason !== null && (
          <span>
            Reason: <bdi>{reason}</bdi>
          </span>
        )}
      </p>
      {status === "SCHEDULED" && (
        <p className={styles.actions}>
          <Button onPress={() => setOpen("move")}>Reschedule</Button>
          <Button onPress={() => setOpen("cancel")}>Cancel change</Button>
        </p>
      )}
      {open === "move" && <MoveChange change={change} onClose={close} />}
      {open === "cancel" && <CancelChange change={change} onClose={close} />}
    </li>
  );
}

function Entities({ change: { entities } }: { change: ScheduledChange }) {
  const shown = entities.slice(0, MAX_NAMED);
  const others = entities.length - shown.length;
  return (
    <>
      {shown.map(({ entityType, entityID }, index) => (
        <span key={`${entityType} ${entityID}`}>
          {index > 0 && ", "}
          {index === 0 ? entityLabel(entityType) : entityNoun(entityType)} <EntityLink type={entityType} id={entityID} name={entityID} />
        </span>
      ))}
      {others > 0 && ` and ${others} more`}
    </>
  );
}
