import { useId } from "react";
import { CHARACTER_PX } from "./axes.ts";
import styles from "./bucket-strip.module.css";
import { bucketHolders, type Holder, rangesText, type Segment } from "./buckets.ts";
import charts from "./charts.module.css";
import { Figure } from "./figure.tsx";
import { counted, exact, share } from "./format.ts";
import { Swatch } from "./legend.tsx";
import { fillUrl, Paints } from "./paint.tsx";
import { useWidth } from "./use-width.ts";

export type BucketStripProps = {
  title: string;
  segments: readonly Segment[];
  /** How many buckets there are. */
  total?: number;
  /** The segment that is shown as selected. */
  selectedID?: string | null;
  /** Makes the segments selectable by mouse, and by keyboard through the legend. */
  onSelect?: (id: string) => void;
};

const TOP_PX = 4;
const HEIGHT_PX = 36;
const BOTTOM_PX = 22;
/** A single bucket stays visible. */
const MIN_SEGMENT_PX = 2;

/** The buckets of a layer as a strip: the holders, and the free ones. Segments and legend share numbers. */
export function BucketStrip({ title, segments, total = 1_000, selectedID = null, onSelect }: BucketStripProps) {
  const prefix = useId();
  const [ref, width] = useWidth();
  const { holders, free } = bucketHolders(segments, total);
  const x = (bucket: number) => (bucket / total) * width;
  return (
    <Figure title={title} unit={`${counted(total, "buckets")}, ${exact(free.count)} free (${share(free.count, total)})`}>
      <div className={charts.plot} ref={ref}>
        <svg className={charts.svg} height={TOP_PX + HEIGHT_PX + BOTTOM_PX} aria-hidden="true">
          <Paints prefix={prefix} paints={[...holders.map(({ paint }) => paint), free.paint]} />
          <g transform={`translate(0,${TOP_PX})`}>
            <rect className={styles.track} width={width} height={HEIGHT_PX} fill={fillUrl(prefix, "free")} />
            {holders.map((holder) => (
              // biome-ignore lint/a11y/noStaticElementInteractions: the legend has the same as buttons.
              <g
                key={holder.id}
                className={onSelect && styles.selectable}
                data-selected={holder.id === selectedID || undefined}
                onClick={onSelect && (() => onSelect(holder.id))}
              >
                <title>{`${holder.label}: ${rangesText(holder.ranges)}`}</title>
                {holder.ranges.map(({ from, to }) => (
                  <g key={from} transform={`translate(${x(from)},0)`}>
                    <rect
                      className={styles.segment}
                      width={Math.max(MIN_SEGMENT_PX, x(to - from))}
                      height={HEIGHT_PX}
                      fill={fillUrl(prefix, holder.paint)}
                    />
                    <Plate text={String(holder.number)} room={x(to - from)} />
                  </g>
                ))}
              </g>
            ))}
          </g>
          {[0, 0.25, 0.5, 0.75, 1].map((part) => (
            <text
              key={part}
              className={charts.tick}
              x={part * width}
              y={TOP_PX + HEIGHT_PX + 16}
              textAnchor={part === 0 ? "start" : part === 1 ? "end" : "middle"}
            >
              {exact(Math.round(part * total))}
            </text>
          ))}
        </svg>
      </div>
      <ol className={styles.legend}>
        {[...holders, free].map((holder) => (
          <li key={holder.id}>
            {onSelect && holder.number !== null ? (
              <button type="button" className={styles.entry} aria-pressed={holder.id === selectedID} onClick={() => onSelect(holder.id)}>
                <Entry holder={holder} prefix={prefix} total={total} />
              </button>
            ) : (
              <span className={styles.entry}>
                <Entry holder={holder} prefix={prefix} total={total} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </Figure>
  );
}

function Entry({ holder, prefix, total }: { holder: Holder; prefix: string; total: number }) {
  return (
    <>
      <Swatch prefix={prefix} paint={holder.paint} />
      <span className={styles.number}>{holder.number}</span>
      <bdi className={styles.label} title={holder.label}>
        {holder.label}
      </bdi>
      <span className={styles.detail}>
        {counted(holder.count, "buckets")} · {share(holder.count, total)}
        {holder.count > 0 && <> · {rangesText(holder.ranges)}</>}
      </span>
    </>
  );
}

function Plate({ text, room }: { text: string; room: number }) {
  const width = text.length * CHARACTER_PX + 8;
  if (room < width + 4) return null;
  return (
    <g transform={`translate(${room / 2},${HEIGHT_PX / 2})`}>
      <rect className={styles.plate} x={-width / 2} y={-8} width={width} height={16} rx={3} />
      <text className={charts.direct} dy="0.34em" textAnchor="middle">
        {text}
      </text>
    </g>
  );
}
