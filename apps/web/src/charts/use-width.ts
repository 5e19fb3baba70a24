import { useCallback, useState } from "react";

/** Before the first measurement, and without a layout. px */
const DEFAULT_WIDTH = 640;

/** The width of an element, px, and the ref that goes onto it. */
export function useWidth(): [ref: (element: HTMLElement | null) => (() => void) | undefined, width: number] {
  const [width, setWidth] = useState(DEFAULT_WIDTH);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    // A hidden element has no width, and a chart in it keeps its last one.
    const measure = () => element.clientWidth > 0 && setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
