import { useId } from "react";
import { CHARACTER_PX } from "./axes.ts";
import charts from "./charts.module.css";
import { Figure } from "./figure.tsx";
import { percentage } from "./format.ts";
import { Legend } from "./legend.tsx";
import { fillUrl, Paints } from "./paint.tsx";
import styles from "./shares.module.css";
import { type Share, shareParts } from "./shares.ts";
import { useWidth } from "./use-width.ts";

export type SharesProps = {
  title: string;
  /** Plural of the divided thing: users. */
  unit?: string;
  shares: readonly Share[];
  /** Name of the part that the shares leave of 100. Without it, the part is blank. */
  remainder?: string;
  empty?: string;
};

const HEIGHT_PX = 24;

/** Shares of a whole, as one bar. */
export function Shares({ title, unit, shares, remainder, empty = "No traffic yet." }: SharesProps) {
  const prefix = useId();
  const clip = useId();
  const [ref, width] = useWidth();
  const parts = shareParts(shares, { width, remainder });
  return (
    <Figure title={title} unit={unit && `share of ${unit}`} empty={parts.length === 0 ? empty : undefined}>
      <div className={charts.plot} ref={ref}>
        <svg className={charts.svg} height={HEIGHT_PX} aria-hidden="true">
          <Paints prefix={prefix} paints={parts.map(({ paint }) => paint)} />
          <clipPath id={clip}>
            <rect width={width} height={HEIGHT_PX} rx={4} />
          </clipPath>
          <g clipPath={`url(#${clip})`}>
            <rect className={styles.track} width={width} height={HEIGHT_PX} />
            {parts.map(({ id, label, percent, paint, x, width: partWidth }) => (
              <g key={id}>
                <rect x={x} width={partWidth} height={HEIGHT_PX} fill={fillUrl(prefix, paint)}>
                  <title>{`${label}: ${percentage(percent)}`}</title>
                </rect>
                {x > 0 && <line className={styles.divider} x1={x} x2={x} y2={HEIGHT_PX} />}
                <Inside text={percentage(percent)} x={x + partWidth / 2} room={partWidth} />
              </g>
            ))}
          </g>
        </svg>
      </div>
      <Legend
        kind="fill"
        prefix={prefix}
        entries={parts.map(({ id, label, percent, paint }) => ({ id, label, paint, value: percentage(percent) }))}
      />
    </Figure>
  );
}

/** A label on its own plate, so that no pattern runs through it. */
function Inside({ text, x, room }: { text: string; x: number; room: number }) {
  const width = text.length * CHARACTER_PX + 8;
  if (room < width + 8) return null;
  return (
    <g transform={`translate(${x},${HEIGHT_PX / 2})`}>
      <rect className={styles.plate} x={-width / 2} y={-8} width={width} height={16} rx={3} />
      <text className={charts.direct} dy="0.34em" textAnchor="middle">
        {text}
      </text>
    </g>
  );
}
