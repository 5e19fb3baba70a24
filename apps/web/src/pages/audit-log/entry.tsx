import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { RestoreDeleted } from "../../entity/restore-deleted.tsx";
import { entityNoun, hasHistory, hasPage, isRestorable, pageRoute } from "../../kinds/kinds.ts";
import { EntityLink } from "../../shell/entity-link.tsx";
import { fieldName } from "../../targeting/field-words.ts";
import { Button } from "../../ui/button.tsx";
import { LOCALE } from "../../ui/locale.ts";
import { Time } from "../../ui/time.tsx";
import { exactTime } from "../../ui/time-text.ts";
import styles from "./audit-log.module.css";
import type { Entry } from "./entries.ts";
import { operationInWords, valueText } from "./field-words.ts";
import { auditLogSearch } from "./page-search.ts";

const FROM = "/projects/$projectID/audit-log";
/** More fields than this show on demand. */
const SHOWN_FIELDS = 4;

export function EntryItem({ entry }: { entry: Entry }) {
  const { time, actor, deed, entity, operationID, version, isDeletion, reason, origin } = entry;
  const { view } = useSearch({ from: FROM });
  const isOwnView = view === undefined;
  return (
    <li className={styles.entry}>
      <div className={styles.head}>
        <p className={styles.sentence}>
          <bdi className={styles.actor}>{actor.name}</bdi> {deed}
          {entity !== null && (
            <>
              {" "}
              {entityNoun(entity.type)} <EntityLink type={entity.type} id={entity.id} name={entity.name} />
            </>
          )}
        </p>
        <Time time={time} />
      </div>
      <p className={styles.facts}>
        <span title={operationID}>{operationInWords(operationID)}</span>
        {version !== null && <VersionLink entry={entry} version={version} />}
        {entity !== null && entity.name !== entity.id && <code className={styles.id}>{entity.id}</code>}
        {isOwnView && entity !== null && (
          <Link from={FROM} to="." search={auditLogSearch({ type: entity.type, entity: entity.id })}>
            Changes to this {entityNoun(entity.type)}
          </Link>
        )}
        {isOwnView && (
          <Link from={FROM} to="." search={(known) => ({ ...known, person: actor.id })}>
            Changes by <bdi>{actor.name}</bdi>
          </Link>
        )}
        {origin?.address != null && <span>from {origin.address}</span>}
        {origin?.userAgent != null && (
          <bdi className={styles.agent} title={origin.userAgent}>
            {origin.userAgent}
          </bdi>
        )}
        {reason !== null && entity !== null && (
          <span>
            Reason: <bdi>{reason}</bdi>
          </span>
        )}
      </p>
      <Fields entry={entry} />
      {isDeletion && entity !== null && version !== null && isRestorable(entity.type) && !hasPage(entity.type) && (
        <RestoreDeleted type={entity.type} id={entity.id} name={entity.name} version={version - 1} />
      )}
    </li>
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

function Fields({ entry: { fields, fieldCount } }: { entry: Entry }) {
  const [isOpen, setOpen] = useState(false);
  if (fields.length === 0) return null;
  const shown = isOpen ? fields : fields.slice(0, SHOWN_FIELDS);
  const isNew = fields.every(({ before }) => before === null);
  const isGone = fields.every(({ after }) => after === null);
  return (
    <>
      <dl className={styles.fields}>
        {shown.map(({ field, before, after, isCut }) => (
          <div key={field} className={styles.field}>
            <dt title={field}>{fieldName(field)}</dt>
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
        ))}
      </dl>
      {fields.length > SHOWN_FIELDS && (
        <Button look="quiet" onPress={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? "Show fewer fields" : `Show all ${fields.length} fields`}
        </Button>
      )}
      {isOpen && fieldCount > fields.length && (
        <p className={styles.soft}>{fieldCount - fields.length} more fields changed. See the entity’s history.</p>
      )}
    </>
  );
}

const WORDS = { before: "Before: ", after: "After: ", only: "" } as const;

function Value({ field, value, kind }: { field: string; value: unknown; kind: keyof typeof WORDS }) {
  const { text, isNothing, isBlock } = valueText(field, value, (time) => exactTime(time, LOCALE));
  return (
    <span className={`${styles.value} ${isNothing ? styles.soft : styles[kind]} ${isBlock ? styles.block : ""}`}>
      <span className={styles.hidden}>{WORDS[kind]}</span>
      <bdi>{text}</bdi>
    </span>
  );
}
