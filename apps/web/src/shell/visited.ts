// The entity pages that were opened last, kept in this browser for each project.
import { useMatch } from "@tanstack/react-router";
import { useEffect } from "react";
import { currentProjectID } from "../api.ts";
import { useKept } from "./kept.ts";

export type Visited = { path: string; name: string; noun: string };

const KEPT = 8;
const storageKey = (projectID: string) => `gatehouse.visited.${projectID}`;

/** The kept list, or an empty one if the text is none. Only paths of the project are taken. */
export function parseVisited(text: string | null, projectID: string): Visited[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? value.filter((one) => isVisited(one, `/projects/${projectID}/`)) : [];
  } catch {
    return [];
  }
}

function isVisited(value: unknown, start: string): value is Visited {
  if (typeof value !== "object" || value === null) return false;
  const { path, name, noun } = value as Record<string, unknown>;
  return typeof path === "string" && path.startsWith(start) && typeof name === "string" && typeof noun === "string";
}

/** The list with a page at its start, each page once. */
export const withVisit = (known: readonly Visited[], visit: Visited): Visited[] =>
  [visit, ...known.filter(({ path }) => path !== visit.path)].slice(0, KEPT);

/** The pages, the latest first. */
export function useVisited(projectID: string): Visited[] {
  const [kept] = useKept(storageKey(projectID));
  return parseVisited(kept, projectID);
}

/** Keeps the current page in the list. */
export function useVisit(name: string, noun: string): void {
  const path = useMatch({ strict: false, select: (match) => match.pathname });
  const projectID = currentProjectID() ?? "";
  const [kept, keep] = useKept(storageKey(projectID));
  const next = JSON.stringify(withVisit(parseVisited(kept, projectID), { path, name, noun }));
  useEffect(() => {
    if (next !== kept) keep(next);
  }, [next, kept, keep]);
}
