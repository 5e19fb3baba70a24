import type { ReactNode } from "react";
import icon from "../ui/icon.svg";
import styles from "./session.module.css";

/** The page of a person who is not signed in. */
export function SessionFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.page}>
      <div className={styles.brand}>
        <img src={icon} alt="" />
        Gatehouse
      </div>
      <div className={styles.card}>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
