import styles from "./charts.module.css";
import { dashArray, fillUrl, lineClass, type Paint } from "./paint.tsx";

export type Entry = { id: string; label: string; paint: Paint; value?: string; exactValue?: string };

/** The meaning of each fill or line, with its value. */
export function Legend({ entries, prefix, kind }: { entries: readonly Entry[]; prefix: string; kind: "fill" | "line" }) {
  return (
    <ul className={styles.legend}>
      {entries.map(({ id, label, paint, value, exactValue }) => (
        <li key={id} className={styles.entry}>
          {kind === "line" && typeof paint === "number" ? <LineSwatch index={paint} /> : <Swatch prefix={prefix} paint={paint} />}
          <bdi className={styles.entryLabel} title={label}>
            {label}
          </bdi>
          {value !== undefined && (
            <span className={styles.entryValue} title={exactValue}>
              {value}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

export function Swatch({ prefix, paint }: { prefix: string; paint: Paint }) {
  return (
    <svg className={styles.swatch} viewBox="0 0 14 14" aria-hidden="true">
      <rect x={0.5} y={0.5} width={13} height={13} rx={3} fill={fillUrl(prefix, paint)} />
    </svg>
  );
}

export function LineSwatch({ index }: { index: number }) {
  return (
    <svg className={styles.lineSwatch} viewBox="0 0 22 14" aria-hidden="true">
      <path className={lineClass(index)} d="M0,7 H22" strokeWidth={2.5} strokeDasharray={dashArray(index)} />
    </svg>
  );
}
