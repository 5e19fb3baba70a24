import { type RefObject, useEffect, useRef, useState } from "react";

/** The distance to the window within which a part counts as near: one window. */
const MARGIN = "100% 0px";

/** Whether an element is or was near the window. @param isNeeded whether it counts as near wherever it is */
export function useNear<Part extends Element>(isNeeded: boolean): [RefObject<Part | null>, boolean] {
  const part = useRef<Part>(null);
  const [wasNear, setNear] = useState(false);
  if (isNeeded && !wasNear) setNear(true);
  useEffect(() => {
    if (wasNear || part.current === null) return;
    const observer = new IntersectionObserver((entries) => setNear(entries.some(({ isIntersecting }) => isIntersecting)), {
      rootMargin: MARGIN,
    });
    observer.observe(part.current);
    return () => observer.disconnect();
  }, [wasNear]);
  return [part, wasNear];
}
