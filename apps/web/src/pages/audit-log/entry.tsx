import { Link, useParams, useSearch } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import type { Schema } from "../../api.ts";
import { RestoreDeleted } from "../../entity/restore-deleted.tsx";
import { Undo } from "../../entity/undo.tsx";
import { useRecordedWords, useReviewTitle } from "../../entity/use-change-words.ts";
import { entityNoun, hasHistory, hasPage, isRestorable, pageRoute } from "../../kinds/kinds.ts";
import { ChangeList } from "../../saving/changes.tsx";
import { actorWords } from "../../shell/actor-words.ts";
import { EntityLink } from "../../shell/entity-link.tsx";
import type { KnownNames } from "../../targeting/field-words.ts";
import { Button } from "../../ui/button.tsx";
import { Time } from "../../ui/time.tsx";
import { exactTime } from "../../ui/time-text.ts";
import { useNear } from "../../ui/use-near.ts";
import styles from "./audit-log.module.css";
import { type Entry, undoableOf } from "./entries.ts";
import { valueText } from "./field-words.ts";
import { auditLogSearch } from "./page-search.ts";

const FROM = "/projects/$projectID/audit-log";

type Props = {
  entry: Entry;
  /** Names of people, teams and others by their IDs. */
  names: KnownNames;
  /** Whether the entity doesn't exist any more. */
  isGone: boolean;
};

type ItemProps = Props & { isLatest: boolean /** The review that the entry is of. */; review: Schema<"Review"> | undefined };

export function EntryItem({ entry, names, isGone, isLatest, review }: ItemProps) {
  const { time, actor, deed, place, entity, version, isDeletion, reason, origin } = entry;
  const { view } = useSearch({ from: FROM });
  const isOwnView = view === undefined;
  const [isOpen, setOpen] = useState(false);
  const undoable = isLatest ? undoableOf(entry, isLatest) : undefined;
  return (
    <li className={styles.entry}>
      <div className={styles.head}>
        <p className={styles.sentence}>
          <bdi className={styles.actor}>{actorWords(actor, names)}</bdi> {deed}
          {entity !== null && (
            <>
              {" "}
              {entityNoun(entity.type)}{" "}
              {review ? <ReviewLink review={review} /> : <EntityLink type={entity.type} id={entity.id} name={nameOf(entity, names)} />}{" "}
              {place}
            </>
          )}
        </p>
        <Time time={time} />
      </div>
      {entity !== null && !isDeletion && <Words entry={entry} entity={entity} names={names} isGone={isGone} />}
      <p className={styles.facts}>
        {reason !== null && entity !== null && (
          <span>
            Reason: <bdi>{reason}</bdi>
          </span>
        )}
        {version !== null && <VersionLink entry={entry} version={version} />}
        {isOwnView && entity !== null && (
          <Link from={FROM} to="." search={auditLogSearch({ type: entity.type, entity: entity.id })}>
            Changes to this {entityNoun(entity.type)}
          </Link>
        )}
        {isOwnView && (
          <Link from={FROM} to="." search={(known) => ({ ...known, person: actor.id })}>
            Changes by <bdi>{actorWords(actor, names)}</bdi>
          </Link>
        )}
        {origin?.address != null && <span>from {origin.address}</span>}
        <Button look="quiet" onPress={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? "Hide request" : "Show request"}
        </Button>
        {undoable && <Undo change={undoable} />}
      </p>
      {isOpen && <Request entry={entry} />}
      {isDeletion && entity !== null && version !== null && isRestorable(entity.type) && !hasPage(entity.type) && (
        <RestoreDeleted type={entity.type} id={entity.id} name={entity.name} version={version - 1} />
      )}
    </li>
  );
}

const ReviewLink = ({ review }: { review: Schema<"Review"> }) => <EntityLink type="review" id={review.id} name={useReviewTitle(review)} />;

type Named = NonNullable<Entry["entity"]>;

/** The name of an entity. A member has the name of its person. */
const nameOf = ({ id, name }: Named, names: KnownNames): string => (name === id ? (names[id] ?? name) : name);

/** The changes as a review of them says. */
function Words({ entry: { fields, fieldCount, version }, entity: { type, id }, names, isGone }: Props & { entity: Named }) {
  // Fifty entries can be of fifty entities, each with large versions.
  const [part, isNear] = useNear<HTMLDivElement>(false);
  const [changes = []] = useRecordedWords([{ entityType: type, entityID: id, fields, version, isRead: isNear && !isGone }], names);
  return (
    <div ref={part}>
      {changes.length > 0 && (
        <ChangeList entities={[{ entityType: type, entityID: type === "review" ? "the review" : id, title: [], changes }]} />
      )}
      {fieldCount > fields.length && (
        <p className={styles.soft}>{fieldCount - fields.length} more fields changed. See the entity’s history.</p>
      )}
    </div>
  );
}

function VersionLink({ entry: { entity, isDeletion }, version }: { entry: Entry; version: number }) {
  const { projectID } = useParams({ from: FROM });
  if (entity === null || !hasHistory(entity.type) || isDeletion) return <span>version {version}</span>;
  return (
    <Link to={pageRoute(entity.type)} params={{ projectID, id: entity.id }} search={{ tab: "history", version }}>
      View version {version}
    </Link>
  );
}

/** The request as the server records it, for those who look for more than its effect. */
function Request({ entry: { operationID, entity, fields, origin } }: { entry: Entry }) {
  return (
    <dl className={styles.fields}>
      <Fact name="Operation">
        <code>{operationID}</code>
      </Fact>
      {entity !== null && (
        <Fact name="ID">
          <code className={styles.id}>{entity.id}</code>
        </Fact>
      )}
      {origin?.requestID != null && (
        <Fact name="Request ID">
          <code className={styles.id}>{origin.requestID}</code>
        </Fact>
      )}
      {origin?.userAgent != null && <Fact name="User agent">{origin.userAgent}</Fact>}
      {fields.map((one) => (
        <FieldValues key={one.field} of={one} fields={fields} />
      ))}
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <dt>{name}</dt>
      <dd>
        <bdi>{children}</bdi>
      </dd>
    </div>
  );
}

type FieldOf = Entry["fields"][number];

function FieldValues({ of: { field, before, after, isCut }, fields }: { of: FieldOf; fields: readonly FieldOf[] }) {
  const isNew = fields.every((one) => one.before === null);
  const isGone = fields.every((one) => one.after === null);
  return (
    <div className={styles.field}>
      <dt>
        <code>{field}</code>
      </dt>
      <dd>
        {isCut ? (
          <span className={styles.soft}>This value is too long to show here. See the entity’s history.</span>
        ) : (
          <>
            {!isNew && <Value field={field} value={before} kind="before" />}
            {!isNew && !isGone && (
              <span className={styles.arrow} aria-hidden="true">
                →
              </span>
            )}
            {!isGone && <Value field={field} value={after} kind={isNew ? "only" : "after"} />}
          </>
        )}
      </dd>
    </div>
  );
}

const WORDS = { before: "Before: ", after: "After: ", only: "" } as const;

function Value({ field, value, kind }: { field: string; value: unknown; kind: keyof typeof WORDS }) {
  const { text: shown, isNothing, isBlock } = valueText(field, value, exactTime);
  return (
    <span className={`${styles.value} ${isNothing ? styles.soft : styles[kind]} ${isBlock ? styles.block : ""}`}>
      <span className={styles.hidden}>{WORDS[kind]}</span>
      <bdi>{shown}</bdi>
    </span>
  );
}
