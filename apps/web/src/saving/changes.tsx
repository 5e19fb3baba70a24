import { Sentence } from "../shell/sentence.tsx";
import type { DescribedEntity } from "../targeting/changes.ts";
import { Compared } from "./compared.tsx";
import styles from "./saving.module.css";

/** The differences, one line each. Texts show both versions. */
export function ChangeList({ entities }: { entities: readonly DescribedEntity[] }) {
  return entities.map(({ entityType, entityID, title, changes }) => (
    <article key={`${entityType} ${entityID}`} className={styles.entity} aria-label={`Changes to ${entityID}`}>
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
            {diff && (kind === "changed" || kind === "moved") && (
              <Compared left={{ title: "Before", text: diff.before }} right={{ title: "After", text: diff.after }} />
            )}
            {diff && (kind === "added" || kind === "removed") && (
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
              <pre tabIndex={0} className={styles.text}>
                {(kind === "added" ? diff.after : diff.before) || "Empty"}
              </pre>
            )}
          </li>
        ))}
      </ul>
    </article>
  ));
}
