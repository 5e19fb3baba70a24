import { type ReactNode, use, useLayoutEffect, useRef } from "react";
import { OverlayTriggerStateContext, Popover } from "react-aria-components";
import styles from "./choice.module.css";

/** In pixels. Without a limit, react-aria measures the list at its full height whenever it moves, which scrolls it to its start. */
const MAX_HEIGHT = 360;

/**
 * The list of a select or a combobox. It stays open beside its field while the page or a dialog scrolls.
 *
 * By itself, react-aria closes the list of a combobox when its field scrolls, and leaves the list of a select behind. Only while the visual
 * viewport is resized, as by an on-screen keyboard, it moves lists with their fields. So every scroll is reported as such a resize.
 */
export function ListPopover({ children }: { children: ReactNode }) {
  const isOpen = use(OverlayTriggerStateContext)?.isOpen ?? false;
  const popover = useRef<HTMLElement>(null);
  // A layout effect runs before the effect where react-aria adds its listener, so this listener is called first.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const follow = ({ target }: Event) => {
      if (popover.current === null || (target instanceof Node && popover.current.contains(target))) return;
      window.visualViewport?.dispatchEvent(new Event("resize"));
    };
    window.addEventListener("scroll", follow, true);
    return () => window.removeEventListener("scroll", follow, true);
  }, [isOpen]);
  return (
    <Popover ref={popover} className={styles.popover ?? ""} maxHeight={MAX_HEIGHT}>
      {children}
    </Popover>
  );
}
