import { Link, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { FirstEntities, RequestDeeds } from "../../entity/request-sentence.tsx";
import { entityNoun } from "../../kinds/kinds.ts";
import { actorWords } from "../../shell/actor-words.ts";
import type { KnownNames } from "../../targeting/field-words.ts";
import { Button } from "../../ui/button.tsx";
import { formatNumber } from "../../ui/number-text.ts";
import { Time } from "../../ui/time.tsx";
import styles from "./audit-log.module.css";
import { deedOf, type Entry } from "./entries.ts";

const FROM = "/projects/$projectID/audit-log";
/** Requests can change 500 entities and more. */
const SHOWN_AT_ONCE = 50;

type Props = {
  /** The entries of one request, newest first. */
  entries: readonly [Entry, ...Entry[]];
  names: KnownNames;
  /** The entity of an entry, as a link. */
  link: (entry: Entry) => ReactNode;
  /** An entry alone. */
  item: (entry: Entry) => ReactNode;
};

/** A request that changed several entities. It opens to an entry for each change. */
export function EntryGroup({ entries, names, link, item }: Props) {
  const { view } = useSearch({ from: FROM });
  const [isOpen, setOpen] = useState(false);
  const [shown, setShown] = useState(SHOWN_AT_ONCE);
  const [{ time, actor, reason, origin }] = entries;
  const name = actorWords(actor, names);
  const count = formatNumber(entries.length);
  const deeds = { changes: entries, deedOf };
  return (
    <li className={styles.entry}>
      <div className={styles.head}>
        <p className={styles.sentence}>
          <bdi className={styles.actor}>{name}</bdi>{" "}
          <RequestDeeds
            {...deeds}
            entity={(entry) => (
              <>
                the {entityNoun(deedOf(entry).type)} {link(entry)}
              </>
            )}
          />
        </p>
        <Time time={time} />
      </div>
      <p className={styles.sentence}>
        <FirstEntities {...deeds} name={link} />
      </p>
      <p className={styles.facts}>
        {reason !== null && (
          <span>
            Reason: <bdi>{reason}</bdi>
          </span>
        )}
        {view === undefined && (
          <Link from={FROM} to="." search={(known) => ({ ...known, person: actor.id })}>
            Changes by <bdi>{name}</bdi>
          </Link>
        )}
        {origin.address !== null && <span>from {origin.address}</span>}
        <Button look="quiet" onPress={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? `Hide ${count} changes` : `Show ${count} changes`}
        </Button>
      </p>
      {isOpen && (
        <ol className={styles.group} aria-label="Changes of one request">
          {entries.slice(0, shown).map(item)}
        </ol>
      )}
      {isOpen && entries.length > shown && (
        <Button onPress={() => setShown(shown + SHOWN_AT_ONCE)}>
          Show {formatNumber(Math.min(SHOWN_AT_ONCE, entries.length - shown))} more
        </Button>
      )}
    </li>
  );
}
