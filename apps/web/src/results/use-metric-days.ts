import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { query } from "../api.ts";
import type { PreviewRequest } from "./metric-days.ts";
import { dayBefore } from "./periods.ts";

type Asked = {
  definition: PreviewRequest;
  days: number;
  /** The last day. Empty for today. */
  endDate?: string;
  /** Whether as many days before are read too. */
  isCompared: boolean;
  isEnabled?: boolean;
};

/** The values of a metric on the days of a range, and on the days before them. */
export function useMetricDays({ definition, days, endDate = "", isCompared, isEnabled = true }: Asked) {
  const asked = (end: string, count: number) => ({ ...definition, days: count, ...(end !== "" && { endDate: end }) });
  const { data, error, isFetching, refetch } = useQuery({
    ...query("previewMetric", { body: asked(endDate, days) }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const preview = data?.data;
  const first = preview?.days[0]?.date;
  const before = useQuery({
    ...query("previewMetric", { body: asked(first === undefined ? "" : dayBefore(first), preview?.days.length || 1) }),
    enabled: isCompared && isEnabled && first !== undefined,
    retry: false,
  });
  return {
    preview,
    before: isCompared ? before.data?.data : undefined,
    isFetching,
    error,
    /** Also if only the days before could not be read. */
    fault: error ?? (isCompared ? before.error : null),
    retry: () => void Promise.all([refetch(), isCompared && before.refetch()]),
  };
}
