import { type ReactNode, useEffect } from "react";
import { Breadcrumb } from "./breadcrumb.tsx";
import styles from "./page.module.css";

/** The title of the browser's tab. */
function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Gatehouse`;
  }, [title]);
}

type Props = {
  title: string;
  /** Before the title, such as a link to the list. */
  above?: ReactNode;
  /** Beside the title, such as the state. */
  beside?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

/** A page: its title, its actions, its content. */
export function Page({ title, above, beside, actions, children }: Props) {
  useTitle(title);
  return (
    <main className={styles.page} id="content" tabIndex={-1}>
      <header className={styles.header}>
        <div className={styles.titles}>
          {above !== undefined && <Breadcrumb>{above}</Breadcrumb>}
          <div className={styles.title}>
            <h1>
              <bdi>{title}</bdi>
            </h1>
            {beside}
          </div>
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </main>
  );
}

/** A part of a page with a heading. */
export function Section({
  title,
  description,
  actions,
  children,
}: {
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={styles.section} aria-label={title}>
      <header className={styles.sectionHeader}>
        <div>
          <h2>
            <bdi>{title}</bdi>
          </h2>
          {description !== undefined && <p>{description}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}
