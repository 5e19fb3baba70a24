import { type RefObject, useEffect, useState } from "react";
import { flushSync } from "react-dom";

type Printout = {
  /** Whether parts outside of the window are needed too. */
  isWhole: boolean;
  isPending: boolean;
  print: () => void;
};

/** Prints the page once all parts of a list are read. */
export function usePrintout(list: RefObject<HTMLElement | null>): Printout {
  const [isWhole, setWhole] = useState(false);
  const [isPending, setPending] = useState(false);
  useEffect(() => {
    // The browser's own command does not wait for them.
    const begin = () => flushSync(() => setWhole(true));
    addEventListener("beforeprint", begin);
    return () => removeEventListener("beforeprint", begin);
  }, []);
  useEffect(() => {
    const parts = list.current;
    if (!isPending || parts === null) return;
    const check = () => {
      if (parts.querySelector("[data-loading]") !== null) return;
      setPending(false);
      requestAnimationFrame(() => print());
    };
    const observer = new MutationObserver(check);
    observer.observe(parts, { childList: true, subtree: true });
    check();
    return () => observer.disconnect();
  }, [isPending, list]);
  const begin = () => {
    setWhole(true);
    setPending(true);
  };
  return { isWhole, isPending, print: begin };
}
