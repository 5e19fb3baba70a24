import styles from "./results.module.css";
import { liftInterval, type PulseMetric, toVerdict } from "./verdicts.ts";

const WIDTH = 180;
const HEIGHT = 18;

/** The interval as a bar, and the change as a line in it. The same numbers are beside it in words. */
export function Interval({ metric, scale }: { metric: PulseMetric; scale: number }) {
  const bounds = liftInterval(metric);
  if (!bounds || metric.percentChange === undefined) return null;
  const x = (percent: number) => (WIDTH * (Math.max(-scale, Math.min(scale, percent)) + scale)) / (2 * scale);
  const [left, right] = [x(bounds[0]), x(bounds[1])];
  return (
    <svg className={styles.interval} width={WIDTH} height={HEIGHT} aria-hidden="true">
      <rect className={styles.track} width={WIDTH} height={HEIGHT} rx={4} />
      <rect className={styles[toVerdict(metric)]} x={left} width={Math.max(2, right - left)} y={4} height={HEIGHT - 8} rx={3} />
      <line className={styles.zero} x1={WIDTH / 2} x2={WIDTH / 2} y2={HEIGHT} />
      <line className={styles.estimate} x1={x(metric.percentChange)} x2={x(metric.percentChange)} y1={2} y2={HEIGHT - 2} />
    </svg>
  );
}
