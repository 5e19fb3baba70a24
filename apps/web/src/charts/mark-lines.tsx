import { anchored, withRoom } from "./axes.ts";
import type { Plot } from "./axis.tsx";
import charts from "./charts.module.css";
import { shortened } from "./line-paths.ts";
import type { PlacedMark } from "./marks.ts";

const MAX_NAME_LENGTH = 30;
const LABEL_GAP_PX = 12;
const SIZE_PX = 4;

/** The room above a plot that names of marks need, px. */
export const MARKS_PX = 20;

/** A line at each change or note, with its name where there is room. */
export function MarkLines({ marks, plot }: { marks: readonly PlacedMark[]; plot: Plot }) {
  const labels = marks.map(({ x, name }, index) => ({ ...anchored(x, shortened(name, MAX_NAME_LENGTH), plot.width), rank: index }));
  const shown = withRoom(labels, LABEL_GAP_PX);
  return (
    <g transform={`translate(${plot.left},${plot.top})`}>
      {marks.map(({ x, index }, at) => (
        <g key={index}>
          <line className={charts.mark} x1={x} x2={x} y2={plot.height} />
          <path className={charts.markHead} d={`M${x - SIZE_PX},${-SIZE_PX} L${x},${-2 * SIZE_PX} L${x + SIZE_PX},${-SIZE_PX} L${x},0 Z`} />
          {shown[at] && (
            <text className={charts.tick} x={x} y={-2 * SIZE_PX - 4} textAnchor={labels[at]?.anchor}>
              {labels[at]?.label}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

/** Changes and notes at a point, for its tooltip. */
export function MarkRows({ texts }: { texts: readonly string[] }) {
  return texts.map((text, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two marks may have the same text, and they never move.
    <span key={index} className={charts.tooltipRow}>
      <svg className={charts.swatch} viewBox="0 0 14 14" aria-hidden="true">
        <path className={charts.markHead} d="M2,7 L7,2 L12,7 L7,12 Z" />
      </svg>
      <bdi className={charts.markText}>{text}</bdi>
    </span>
  ));
}
