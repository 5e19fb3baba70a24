import { ProgressBar as AriaProgressBar, Label } from "react-aria-components";
import styles from "./progress.module.css";

/** The share of a long task that is done. @param value 0–1 */
export function Progress({ label, value, text }: { label: string; value: number /** The progress in words. */; text: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <AriaProgressBar value={percent} valueLabel={text} className={styles.progress ?? ""}>
      <Label className={styles.label ?? ""}>{label}</Label>
      <span className={styles.text}>{text}</span>
      <progress className={styles.track} max={100} value={percent} aria-hidden="true" />
    </AriaProgressBar>
  );
}
