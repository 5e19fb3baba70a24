// The dashboard of the sample project. Pure, but for stores.
import type { PermittedContext } from "../../common/context.ts";
import { metricID } from "../../console/common/named.ts";
import { newDashboard } from "../../console/dashboards/dashboard.ts";
import type { Stores } from "../../console/stores.ts";
import { BUYERS, CHECKOUT_FUNNEL, LARGER_PHOTOS, ONE_PAGE_CHECKOUT, REVENUE, TIMEOUT_ALERT } from "./shop-plan.ts";

type DashboardCreate = Parameters<typeof newDashboard>[0];

const SHOWN_DAYS = 14;

export async function createDashboard({ dashboards }: Stores, context: PermittedContext): Promise<void> {
  const body: DashboardCreate = {
    name: "Weekly store review",
    description: "What the store team looks at every Monday.",
    tags: ["checkout"],
    widgets: [
      {
        type: "text",
        text: "Revenue and buyers first, then what we are testing. If the timeout alert is on, larger photos come first.",
        width: "full",
      },
      { type: "metric", metricID: metricID(REVENUE), days: SHOWN_DAYS, compare: true },
      { type: "metric", metricID: metricID(BUYERS), days: SHOWN_DAYS, compare: true },
      { type: "experiment", experimentID: ONE_PAGE_CHECKOUT.id, width: "full" },
      { type: "metric", metricID: metricID(CHECKOUT_FUNNEL), days: SHOWN_DAYS },
      { type: "experiment", experimentID: LARGER_PHOTOS.id, show: "exposures" },
      { type: "alert", alertID: TIMEOUT_ALERT.id, title: "Slow pages", width: "full" },
    ],
  };
  await dashboards.create(newDashboard(body, context));
}
