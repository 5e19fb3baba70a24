import { useRouterState } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import styles from "./shell.module.css";

/** Reads the title of a new page aloud, as a browser does for pages that it loads. */
export function RouteAnnouncer() {
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const [title, setTitle] = useState("");
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page is announced once for each address.
  useEffect(() => {
    const frame = requestAnimationFrame(() => setTitle(document.title));
    return () => cancelAnimationFrame(frame);
  }, [pathname]);
  return (
    <div role="status" aria-live="polite" className={styles.announcer}>
      {title}
    </div>
  );
}
