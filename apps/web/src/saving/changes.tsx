import type { ReactNode } from "react";
import { Sentence } from "../shell/sentence.tsx";
import type { DescribedEntity } from "../targeting/changes.ts";
import { Compared } from "./compared.tsx";
import styles from "./saving.module.css";

type Props = {
  entities: readonly DescribedEntity[];
  /** Shown below the changes of an entity. */
  below?: (entity: DescribedEntity) => ReactNode;
};

/** The differences, one line each. Texts show both versions. */
export function ChangeList({ entities, below }: Props) {
  return entities.map((entity) => (
    <article key={`${entity.entityType} ${entity.entityID}`} className={styles.entity} aria-label={`Changes to ${entity.entityID}`}>
      {entities.length > 1 && (
        <h3>
          <Sentence parts={entity.title} />
        </h3>
      )}
      <ul className={styles.changes}>
        {entity.changes.map(({ kind, field, parts, diff }, index) => (
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
      {below?.(entity)}
    </article>
  ));
}
