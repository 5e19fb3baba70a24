import { Sentence } from "../shell/sentence.tsx";
import type { DescribedEntity } from "../targeting/changes.ts";
import styles from "./saving.module.css";

/** What differs, one line each. Texts show both versions. */
export function ChangeList({ entities }: { entities: readonly DescribedEntity[] }) {
  return entities.map(({ entityType, entityID, title, changes }) => (
    <section key={`${entityType} ${entityID}`} className={styles.entity} aria-label={`Changes of ${entityID}`}>
      {entities.length > 1 && (
        <h3>
          <Sentence parts={title} />
        </h3>
      )}
      <ul className={styles.changes}>
        {changes.map(({ kind, field, parts, diff }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the changes are drawn as a whole.
          <li key={`${field} ${index}`}>
            <Sentence parts={parts} />
            {diff && (
              <div className={styles.conflict}>
                {kind !== "added" && <pre>{diff.before || "Empty"}</pre>}
                {kind !== "removed" && <pre>{diff.after || "Empty"}</pre>}
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  ));
}
