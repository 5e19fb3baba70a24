import { type ReactNode, useState } from "react";
import styles from "./page.module.css";

type Props = {
  title: string;
  description?: ReactNode;
  /** Whether it is open at first. */
  isOpen?: boolean;
  children: ReactNode;
};

/** A part of a page that is closed at first. Its content is rendered once someone opens it. */
export function FoldedSection({ title, description, isOpen = false, children }: Props) {
  const [wasOpened, setOpened] = useState(isOpen);
  return (
    <section aria-label={title}>
      {/* `open` never changes back, so that React leaves what the reader closes closed. */}
      <details className={styles.folded} open={wasOpened} onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}>
        <summary>
          <h2>
            <bdi>{title}</bdi>
          </h2>
        </summary>
        {wasOpened && (
          <div className={styles.section}>
            {description !== undefined && <p className={styles.description}>{description}</p>}
            {children}
          </div>
        )}
      </details>
    </section>
  );
}
