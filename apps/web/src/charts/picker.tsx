import type { CSSProperties, KeyboardEvent, PointerEvent, ReactNode } from "react";
import { nearest } from "./axes.ts";
import type { Plot } from "./axis.tsx";
import styles from "./charts.module.css";

type PickerProps = {
  /** The picked thing in words: "Hour of gate checks". */
  label: string;
  plot: Plot;
  /** The width of the chart, px. */
  width: number;
  /** Positions of the points, px from the left of the plot, ascending. */
  positions: readonly number[];
  picked: number | null;
  onPick(index: number | null): void;
  /** A point as a sentence, for screen readers. */
  toText(index: number): string;
  /** A point's tooltip. */
  children: ReactNode;
};

const TOOLTIP_GAP_PX = 12;
const MAX_TOOLTIP_PX = 300;
/** Page Up and Page Down move by this part of all points. */
const PAGES = 10;

/** Picks a point by mouse, touch or arrow keys, and shows its tooltip. To assistive technology it is a slider over the points. */
export function Picker({ label, plot, width, positions, picked, onPick, toText, children }: PickerProps) {
  const last = positions.length - 1;
  const current = Math.min(picked ?? last, last);

  function point(event: PointerEvent<HTMLElement>): void {
    onPick(nearest(positions, event.clientX - event.currentTarget.getBoundingClientRect().left));
  }

  function press(event: KeyboardEvent): void {
    const to = target(event.key, current, last);
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && picked === null) return;
    event.preventDefault();
    event.stopPropagation();
    onPick(to);
  }

  return (
    <>
      <div
        className={styles.picker}
        style={{ left: plot.left, top: plot.top, width: plot.width, height: plot.height }}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={current}
        aria-valuetext={toText(current)}
        onPointerDown={point}
        onPointerMove={point}
        onPointerLeave={(event) => event.pointerType === "mouse" && onPick(null)}
        onFocus={() => picked === null && onPick(current)}
        onBlur={() => onPick(null)}
        onKeyDown={press}
      />
      {picked !== null && picked <= last && (
        <div className={styles.tooltip} data-picture="none" style={placed(plot.left + (positions[current] ?? 0), width)} aria-hidden="true">
          {children}
        </div>
      )}
    </>
  );
}

function target(pressed: string, current: number, last: number): number | null | undefined {
  const page = Math.max(1, Math.round(last / PAGES));
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -page, PageUp: page };
  if (pressed === "Escape") return null;
  if (pressed === "Home") return 0;
  if (pressed === "End") return last;
  const step = steps[pressed];
  return step === undefined ? undefined : Math.min(last, Math.max(0, current + step));
}

/** On the side with more room. */
function placed(at: number, width: number): CSSProperties {
  const isLeft = at > width / 2;
  const room = (isLeft ? at : width - at) - TOOLTIP_GAP_PX;
  const distance = isLeft ? { right: width - at + TOOLTIP_GAP_PX } : { left: at + TOOLTIP_GAP_PX };
  return { ...distance, maxWidth: Math.min(MAX_TOOLTIP_PX, room) };
}
