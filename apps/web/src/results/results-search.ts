// The search parameters for the computation of results. Absent ones are as in the experiment. Pure.
import { flagIn, numberIn, oneOf, textIn, withoutAbsent } from "../shell/search-values.ts";
import { CORRECTIONS } from "./corrections.ts";

/** In percent. */
export const CONFIDENCES = [80, 90, 95, 98, 99] as const;

/** The least and the most of α that primary metrics can get, in percent: metrics without a share would not decide anything. */
export const PRIMARY_SHARE = { min: 1, max: 99 };

/** How the results of a gate's rule or a holdout are computed. */
export function monitoringSearch(search: Record<string, unknown>) {
  const confidence = numberIn(search, "confidence", { min: 80, max: 99 });
  return withoutAbsent({
    confidence: CONFIDENCES.find((level) => level === confidence),
    // Without it, the variance is reduced.
    cuped: flagIn(search, "cuped") === false ? false : undefined,
  });
}

/** The same for an experiment, with the compared groups and the correction for many comparisons. */
export function comparisonSearch(search: Record<string, unknown>) {
  return withoutAbsent({
    ...monitoringSearch(search),
    // Without it, results are adjusted as the experiment says.
    adjustment: flagIn(search, "adjustment") === false ? false : undefined,
    control: textIn(search, "control"),
    test: textIn(search, "test"),
    correction: oneOf(search, "correction", CORRECTIONS),
    // Of α, in percent.
    primaryShare: numberIn(search, "primaryShare", PRIMARY_SHARE),
  });
}

export type ComparisonSearch = ReturnType<typeof comparisonSearch>;

type Groups = { controlGroupID: string | null; groups: readonly { id?: string | null }[] };

/** The compared groups: those of the address if they exist, else the experiment's control and the first other one. */
export function groupsCompared(search: Pick<ComparisonSearch, "control" | "test">, { controlGroupID, groups }: Groups) {
  const ids = groups.flatMap(({ id }) => (id ? [id] : []));
  const known = (id: string | null | undefined) => ids.find((one) => one === id);
  const control = known(search.control) ?? known(controlGroupID) ?? ids[0] ?? "";
  const test = [known(search.test), ...ids].find((id) => id !== undefined && id !== control) ?? "";
  return { control, test };
}
