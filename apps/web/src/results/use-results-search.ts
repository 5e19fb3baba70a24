import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ComparisonSearch } from "./results-search.ts";

type Change = { [Name in keyof ComparisonSearch]?: ComparisonSearch[Name] | undefined };

/** The computation of results in the address, and a function that changes it. A value of undefined takes the usual again. */
export function useResultsSearch(): [ComparisonSearch, (change: Change) => void] {
  const search: ComparisonSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (changed: Change) =>
    void navigate({ to: ".", search: ((known: object) => ({ ...known, ...changed })) as never, replace: true, resetScroll: false });
  return [search, change];
}
