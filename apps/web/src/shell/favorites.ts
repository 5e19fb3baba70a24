// The pages that a person marked as favorites, kept in this browser for each project.
import { useMatch } from "@tanstack/react-router";
import { currentProjectID } from "../api.ts";
import { useAccount } from "../session/account.ts";
import { useKept } from "./kept.ts";
import { parseVisited, type Visited } from "./visited.ts";

/** The most favorites of a project. The least recent one makes room for another. */
const MAX_FAVORITES = 100;

/** The list with a page at its start, or without it if it was in the list. */
export function toggled(known: readonly Visited[], page: Visited): Visited[] {
  const others = known.filter(({ path }) => path !== page.path);
  return others.length < known.length ? others : [page, ...others].slice(0, MAX_FAVORITES);
}

function useKeptFavorites(): [Visited[], (favorites: readonly Visited[]) => void] {
  const { person } = useAccount();
  const projectID = currentProjectID() ?? "";
  const [kept, keep] = useKept(`gatehouse.favorites.${projectID}.${person.id}`);
  return [parseVisited(kept, projectID), (favorites) => keep(JSON.stringify(favorites))];
}

/** The favorites, the latest first. */
export const useFavorites = (): Visited[] => useKeptFavorites()[0];

/** Whether the current page is a favorite, and what makes it one or ends it. */
export function useFavorite(name: string, noun: string): [boolean, () => void] {
  const path = useMatch({ strict: false, select: (match) => match.pathname });
  const [favorites, keep] = useKeptFavorites();
  return [favorites.some((favorite) => favorite.path === path), () => keep(toggled(favorites, { path, name, noun }))];
}
