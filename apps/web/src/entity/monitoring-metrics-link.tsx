import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { focusSoon } from "../ui/focus-soon.ts";

/** A link from another tab of a page to its monitoring metrics. Their first field is focused: a metric's guardrail, or the search for a metric. */
export function MonitoringMetricsLink({ children }: { children: ReactNode }) {
  return (
    <Link
      to="."
      search={((known: Record<string, unknown>) => ({ ...known, tab: "details" })) as never}
      onClick={() => focusSoon('section[aria-label="Monitoring metrics"] input')}
    >
      {children}
    </Link>
  );
}
