import type { ReactNode } from "react";
import styles from "./entity.module.css";

/** The name in a list, with the id where it differs. */
export function NameCell({ id, name, children }: { id: string; name: string; children?: ReactNode }) {
  return (
    <>
      <span className={styles.name}>
        <bdi title={name}>{name}</bdi>
        {id !== name && <code title={id}>{id}</code>}
      </span>
      {children}
    </>
  );
}
