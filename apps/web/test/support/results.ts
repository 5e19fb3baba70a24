import type { ConsoleClient } from "@gatehouse/client";
import type { Page } from "@playwright/test";
import { unique } from "./people.ts";
import { evaluationApi } from "./server.ts";

export const GROUPS = [
  { id: "blue", name: "Blue", size: 50 },
  { id: "green", name: "Green", size: 50 },
];

type NewExperiment = Partial<Parameters<ConsoleClient["createExperiment"]>[0]["body"]>;

/** A running experiment whose green units buy more, and whose returns do not exist as a metric. */
export async function sold(
  api: ConsoleClient,
  moreBlue = 0,
  { metric = {}, ...given }: NewExperiment & { metric?: object } = {},
): Promise<{ id: string; revenue: string }> {
  const revenue = unique("Revenue");
  const event = unique("bought");
  const { data: made } = await api.createMetric({
    body: { name: revenue, type: "sum", metricEvents: [{ name: event, type: "value" }], ...metric },
  });
  const { data } = await api.createExperiment({
    body: {
      ...{ name: unique("experiment"), groups: GROUPS, controlGroupID: "blue", allocation: 100, status: "active" as const },
      primaryMetrics: [{ name: revenue, type: made.type }],
      secondaryMetrics: [{ name: "No such metric", type: "sum" }],
      ...given,
    },
  });
  const { data: key } = await api.createKey({ body: { type: "SERVER", description: "browser tests", environments: ["production"] } });
  const events = Array.from({ length: 60 + moreBlue }, (_, index) => {
    const [user, ruleID] = [{ userID: `${data.id} ${index}` }, index % 2 === 0 || index >= 60 ? "blue" : "green"];
    return [
      { eventName: "statsig::config_exposure", user, metadata: { config: data.id, ruleID }, value: index },
      { eventName: event, user, value: (index % 2 === 0 ? 10 : 20) + (index % 7) },
    ];
  });
  await evaluationApi(key.key ?? "").logEvent({ body: { events: events.flat() } });
  return { id: data.id, revenue };
}

/** Opens a part of the results that is closed at first. */
export const unfold = (page: Page, name: string) => page.getByRole("region", { name, exact: true }).locator("summary").first().click();

/** Opens how the results are computed. */
export const openOptions = (page: Page) => page.getByText(/^Compared with /).click();
