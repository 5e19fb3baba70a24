import { counted } from "./format.ts";
import styles from "./sparkline.module.css";
import { sparklinePaths } from "./sparkline.ts";

export type SparklineProps = {
  /** Name of the values: "Checks of the last 24 hours". */
  label: string;
  /** Plural of the counted thing: checks. */
  unit: string;
  /** At equal distances, the latest last. */
  values: readonly number[];
  /** px */
  width?: number;
  height?: number;
};

/** A line of a word's size, beside the number that it belongs to. */
export function Sparkline({ label, unit, values, width = 96, height = 22 }: SparklineProps) {
  if (values.length === 0) return null;
  const paths = sparklinePaths(values, width, height);
  const text = `${label}: from ${counted(Math.min(...values), unit)} to ${counted(Math.max(...values), unit)}, at last ${counted(values.at(-1) ?? 0, unit)}.`;
  return (
    <svg className={styles.sparkline} width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={text}>
      <title>{text}</title>
      <path className={styles.area} d={paths.area} />
      <path className={styles.line} d={paths.line} />
      <circle className={styles.end} cx={paths.end.x} cy={paths.end.y} r={2} />
    </svg>
  );
}
