import { type ReactNode, useState } from "react";
import { FirstEntities, RequestDeeds } from "../../entity/request-sentence.tsx";
import { Button } from "../../ui/button.tsx";
import { formatNumber } from "../../ui/number-text.ts";
import { Time } from "../../ui/time.tsx";
import { ChangedEntity, ChangedName } from "./changed-entity.tsx";
import styles from "./home.module.css";
import { type Recent, recentDeed } from "./recent-changes.ts";

type Props = {
  /** The changes of one request, newest first. */
  changes: readonly [Recent, ...Recent[]];
  projectID: string;
  /** A change alone. */
  item: (change: Recent) => ReactNode;
};

/** A request that changed several entities. It opens to a row for each of them. */
export function ChangesOfRequest({ changes, projectID, item }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [{ actor, time }] = changes;
  const count = formatNumber(changes.length);
  const deeds = { changes, deedOf: recentDeed };
  return (
    <li>
      <span className={styles.name}>
        <bdi>{actor}</bdi> <RequestDeeds {...deeds} entity={(change) => <ChangedEntity change={change} projectID={projectID} />} />
        <span className={styles.reason}>
          <FirstEntities {...deeds} name={(change) => <ChangedName change={change} projectID={projectID} />} />
        </span>
      </span>
      <span className={styles.soft}>
        <Time time={time} />
      </span>
      <Button look="quiet" onPress={() => setOpen(!isOpen)} aria-expanded={isOpen}>
        {isOpen ? `Hide ${count} changes` : `Show ${count} changes`}
      </Button>
      {isOpen && (
        <div className={styles.words}>
          <ul className={styles.list} aria-label="Changes of one request">
            {changes.map(item)}
          </ul>
        </div>
      )}
    </li>
  );
}
