import { Archive, type Ban, CircleAlert, CircleCheck, CircleDashed, CircleDot } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./badge.module.css";

export type Tone = "good" | "warn" | "bad" | "active" | "off" | "archived" | "plain";

const ICONS: Record<Exclude<Tone, "plain">, typeof Ban> = {
  good: CircleCheck,
  warn: CircleAlert,
  bad: CircleAlert,
  active: CircleDot,
  off: CircleDashed,
  archived: Archive,
};

/** A state in words, with an icon beside its colour. */
export function Badge({ tone = "plain", children }: { tone?: Tone; children: ReactNode }) {
  const Icon = tone === "plain" ? undefined : ICONS[tone];
  return (
    <span className={`${styles.badge} ${styles[tone]}`}>
      {Icon && <Icon aria-hidden="true" />}
      {children}
    </span>
  );
}

/** A name chosen by people, such as a tag: short, in its own direction. */
export function Chip({ children }: { children: ReactNode }) {
  return (
    <span className={styles.chip}>
      <bdi>{children}</bdi>
    </span>
  );
}
