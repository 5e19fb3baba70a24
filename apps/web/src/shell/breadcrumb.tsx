import { Link, useMatch, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import styles from "./page.module.css";
import { findPlace, GROUPS, PLACES } from "./places.ts";

/** The way to a page of an entity: the group of the navigation, then the list. */
export function Breadcrumb({ children }: { children: ReactNode }) {
  const pathname = useMatch({ strict: false, select: (match) => match.pathname });
  const group = findPlace(PLACES, pathname)?.group;
  const { projectID } = useParams({ strict: false });
  return (
    <nav aria-label="Breadcrumb" className={styles.above}>
      {group === "settings" && projectID !== undefined && (
        <Link to="/projects/$projectID/settings" params={{ projectID }}>
          Settings
        </Link>
      )}
      {(group === "release" || group === "learn" || group === "data") && <span>{GROUPS[group]}</span>}
      {children}
    </nav>
  );
}
