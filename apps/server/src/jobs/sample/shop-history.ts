// The changes of the sample project's entities, by day. Names, salts and ids never differ, so the same users see the same groups. Pure, but for stores.
import type { PermittedContext } from "../../common/context.ts";
import { DAY_MS, HOUR_MS } from "../../common/utc-day.ts";
import { newAlert } from "../../console/alerts/alert.ts";
import { metricID } from "../../console/common/named.ts";
import { newDynamicConfig } from "../../console/dynamic-configs/dynamic-config.ts";
import { newExperiment } from "../../console/experiments/experiment.ts";
import { decide } from "../../console/experiments/experiment-steps.ts";
import { newGate, patchRule } from "../../console/gates/gate.ts";
import { newLayer } from "../../console/layers/layer.ts";
import { newMetric } from "../../console/metrics/metric.ts";
import { newSegment } from "../../console/segments/segment.ts";
import type { Stores } from "../../console/stores.ts";
import { newTag } from "../../console/tags/tag.ts";
import { createDashboard } from "./shop-dashboard.ts";
import { createHoldout, createParamStore, createPrompt } from "./shop-extras.ts";
import {
  AFTER_LAST_DAY,
  BUYERS,
  CHECKOUT_FUNNEL,
  CONTROL,
  DELIVERY_OPTIONS,
  EVENTS,
  EXPRESS_DELIVERY,
  FREE_SHIPPING,
  LARGER_PHOTOS,
  ONE_PAGE_CHECKOUT,
  ORDER_VALUE,
  PAGE_TIMEOUTS,
  PRODUCT_VIEWS,
  REVENUE,
  STICKY_BUTTON,
  TIMEOUT_ALERT,
  TREATMENT,
} from "./shop-plan.ts";

type ExperimentCreate = Parameters<typeof newExperiment>[0];
type Change = (stores: Stores, context: PermittedContext, endTime: number) => Promise<unknown>;

/** The rule of the gate that is rolled out. */
const ROLLOUT_RULE = "express_delivery_everyone";

/** The changes of a day. Most days have none. */
export function changesOn(day: number): Change[] {
  return HISTORY.get(day) ?? [];
}

const HISTORY = new Map<number, Change[]>([
  [0, [createTags, createMetrics, createSegments, createGates, createConfig, createLayer]],
  [FREE_SHIPPING.startDay, [startFreeShipping]],
  [FREE_SHIPPING.decisionDay, [decideFreeShipping]],
  [ONE_PAGE_CHECKOUT.startDay, [startOnePageCheckout]],
  [LARGER_PHOTOS.startDay, [startLargerPhotos, createExpressDelivery]],
  [EXPRESS_DELIVERY.wideningDay, [widenExpressDelivery]],
  [AFTER_LAST_DAY, [createAlert, draftStickyButton, createHoldout, createParamStore, createPrompt, createDashboard]],
]);

async function createTags({ tags }: Stores, context: PermittedContext): Promise<void> {
  await tags.create(newTag({ name: "checkout", description: "Cart, checkout, and payment." }, context));
  await tags.create(newTag({ name: "discovery", description: "Search and product pages." }, context));
}

async function createMetrics({ metrics }: Stores, context: PermittedContext): Promise<void> {
  const { view, checkout, address, purchase, timeout } = EVENTS;
  for (const body of [
    { ...BUYERS, description: "Customers with at least one order.", metricEvents: [{ name: purchase }], tags: ["checkout"] },
    {
      ...REVENUE,
      description: "Order totals.",
      valueUnit: "USD",
      metricEvents: [{ name: purchase, type: "value" as const }],
      tags: ["checkout"],
    },
    { ...ORDER_VALUE, description: "Revenue per order.", valueUnit: "USD", metricEvents: [{ name: purchase, type: "value" as const }] },
    { ...PRODUCT_VIEWS, description: "Product pages that were opened.", metricEvents: [{ name: view }], tags: ["discovery"] },
    {
      ...PAGE_TIMEOUTS,
      description: "Pages that took longer than 10 seconds.",
      directionality: "decrease" as const,
      metricEvents: [{ name: timeout }],
    },
    {
      ...CHECKOUT_FUNNEL,
      description: "Customers who order after they begin the checkout.",
      funnelEventList: [checkout, address, purchase].map((name) => ({ name, type: "event_dau" as const })),
      tags: ["checkout"],
    },
  ])
    await metrics.create(newMetric(body, context));
}

const segmentRule = (name: string, conditions: NonNullable<Parameters<typeof newSegment>[0]["rules"]>[number]["conditions"]) => ({
  ...{ id: name.toLowerCase().replaceAll(" ", "_"), name, passPercentage: 100, conditions },
});

async function createSegments({ segments }: Stores, context: PermittedContext): Promise<void> {
  for (const body of [
    {
      name: "loyalty_members",
      description: "Customers with a Harbor Lane card.",
      rules: [segmentRule("Card holders", [{ type: "custom_field", field: "loyalty", operator: "any", targetValue: ["silver", "gold"] }])],
    },
    {
      name: "staff",
      description: "Employees of Harbor Lane.",
      rules: [segmentRule("Company email", [{ type: "email", operator: "str_contains_any", targetValue: ["@harborlane.example"] }])],
    },
  ])
    await segments.create(newSegment({ ...body, type: "rule_based" }, context));
}

const everyone = (id: string, passPercentage: number, name = "Everyone") => ({
  ...{ id, name, passPercentage, conditions: [{ type: "public" as const }] },
});

async function createGates({ gates }: Stores, context: PermittedContext): Promise<void> {
  for (const body of [
    {
      name: "New search",
      description: "Typo-tolerant search. Rolled out to everyone, so its check can leave the code.",
      tags: ["discovery"],
      rules: [everyone("new_search_everyone", 100)],
    },
    {
      name: "Wallet payments",
      description: "Pay with a phone wallet where our payment provider supports it.",
      tags: ["checkout"],
      type: "PERMANENT" as const,
      rules: [
        { ...everyone("wallet_staff", 100, "Staff"), conditions: [{ type: "passes_segment" as const, targetValue: "staff" }] },
        {
          ...everyone("wallet_countries", 100, "Supported countries"),
          conditions: [{ type: "country" as const, operator: "any" as const, targetValue: ["US", "CA", "GB", "DE"] }],
        },
      ],
    },
    {
      name: "Maintenance banner",
      description: "Shows a banner before planned maintenance.",
      type: "PERMANENT" as const,
      isEnabled: false,
      rules: [everyone("maintenance_everyone", 100)],
    },
  ])
    await gates.create(newGate(body, context));
}

async function createConfig({ dynamicConfigs }: Stores, context: PermittedContext): Promise<void> {
  const { config } = newDynamicConfig(
    {
      id: DELIVERY_OPTIONS,
      name: DELIVERY_OPTIONS,
      description: "Delivery times and prices in the checkout.",
      tags: ["checkout"],
      defaultValue: { standard_days: 5, free_from: 60, express: false },
      rules: [
        {
          ...{ id: "delivery_loyalty", name: "Loyalty members", passPercentage: 100 },
          conditions: [{ type: "passes_segment", targetValue: "loyalty_members" }],
          returnValue: { standard_days: 3, free_from: 0, express: true },
        },
        {
          ...{ id: "delivery_europe", name: "Europe", passPercentage: 100 },
          conditions: [{ type: "country", operator: "any", targetValue: ["DE", "FR", "SE", "GB"] }],
          returnValue: { standard_days: 4, free_from: 50, express: true },
        },
      ],
    },
    context,
  );
  await dynamicConfigs.create(config);
}

async function createLayer({ layers }: Stores, context: PermittedContext): Promise<void> {
  const parameters = [
    { name: "sticky_button", type: "boolean" as const, defaultValue: false },
    { name: "button_label", type: "string" as const, defaultValue: "Add to cart" },
  ];
  await layers.create(
    newLayer({ name: "Product page", idType: "userID", description: "Experiments on product pages share it.", parameters }, context),
  );
}

const groups = (name: string) => [
  { id: CONTROL, name: "Control", size: 50, parameterValues: { [name]: false } },
  { id: TREATMENT, name: "Treatment", size: 50, parameterValues: { [name]: true } },
];

async function create({ experiments }: Stores, body: ExperimentCreate, context: PermittedContext): Promise<void> {
  const shared = await experiments.lockLayer({ layerID: body.layerID ?? null });
  const experiment = newExperiment(body, shared, context);
  // A random salt would put other users into the groups each time.
  await experiments.create({ ...experiment, salt: experiment.id });
}

const running = { controlGroupID: CONTROL, allocation: 100, status: "active", duration: 28 } as const;

async function startFreeShipping(stores: Stores, context: PermittedContext): Promise<void> {
  const body: ExperimentCreate = {
    ...running,
    id: FREE_SHIPPING.id,
    name: "Free shipping bar",
    description: "A bar above the cart says how much is missing for free shipping.",
    hypothesis: "Customers who see how close they are to free shipping order more often.",
    duration: 14,
    tags: ["checkout"],
    groups: groups("show_bar"),
    primaryMetrics: [{ ...BUYERS, direction: "increase", hypothesizedValue: 10 }],
    secondaryMetrics: [REVENUE, ORDER_VALUE],
  };
  await create(stores, body, context);
}

async function decideFreeShipping({ experiments }: Stores, context: PermittedContext): Promise<void> {
  const experiment = await experiments.get(FREE_SHIPPING.id, { lock: true });
  const decisionReason = "More customers order, and the average order is not smaller.";
  await experiments.replace(experiment, decide(experiment, { id: TREATMENT, decisionReason }, context));
}

async function startOnePageCheckout(stores: Stores, context: PermittedContext): Promise<void> {
  const body: ExperimentCreate = {
    ...running,
    id: ONE_PAGE_CHECKOUT.id,
    name: "One-page checkout",
    description: "Address, delivery, and payment on one page instead of three.",
    hypothesis: "Fewer customers give up when the checkout is a single page.",
    tags: ["checkout"],
    groups: groups("one_page"),
    sequentialTesting: true,
    primaryMetrics: [{ ...BUYERS, direction: "increase", hypothesizedValue: 10 }],
    secondaryMetrics: [REVENUE, CHECKOUT_FUNNEL, ORDER_VALUE],
  };
  await create(stores, body, context);
}

async function startLargerPhotos(stores: Stores, context: PermittedContext): Promise<void> {
  const body: ExperimentCreate = {
    ...running,
    id: LARGER_PHOTOS.id,
    name: "Larger photos",
    description: "Photos fill the width of product pages.",
    hypothesis: "Customers look at more products when photos are larger.",
    tags: ["discovery"],
    groups: groups("large_photos"),
    primaryMetrics: [{ ...PRODUCT_VIEWS, direction: "increase", hypothesizedValue: 10 }],
    secondaryMetrics: [BUYERS, { ...PAGE_TIMEOUTS, direction: "decrease", guardrail: { maxHarmPercent: 20 } }],
  };
  await create(stores, body, context);
}

async function draftStickyButton(stores: Stores, context: PermittedContext): Promise<void> {
  const body: ExperimentCreate = {
    id: STICKY_BUTTON.id,
    name: "Sticky cart button",
    description: "The cart button stays in view while customers scroll.",
    hypothesis: "More customers add a product to the cart when the button is always in view.",
    layerID: "product_page",
    allocation: 50,
    tags: ["discovery"],
    groups: groups("sticky_button"),
    controlGroupID: CONTROL,
    primaryMetrics: [{ ...BUYERS, direction: "increase", hypothesizedValue: 5 }],
  };
  await create(stores, body, context);
}

async function createExpressDelivery({ gates }: Stores, context: PermittedContext): Promise<void> {
  const body = {
    name: "Express delivery",
    description: "Delivery on the next day.",
    tags: ["checkout"],
    monitoringMetrics: [BUYERS, { ...PAGE_TIMEOUTS, guardrail: { maxHarmPercent: 20, pausesRollouts: true } }],
    rules: [everyone(ROLLOUT_RULE, 5)],
  };
  await gates.create(newGate(body, context));
}

/** The next steps lie after the end of the data. */
async function widenExpressDelivery({ gates }: Stores, context: PermittedContext, endTime: number): Promise<void> {
  const gate = await gates.get(EXPRESS_DELIVERY.id, { lock: true });
  const pendingAutomatedRollouts = [
    { time: endTime + 20 * HOUR_MS, passPercent: 50 },
    { time: endTime + 3 * DAY_MS, passPercent: 100 },
  ];
  await gates.replace(gate, patchRule(gate, ROLLOUT_RULE, { passPercentage: 20, pendingAutomatedRollouts }, context));
}

async function createAlert({ alerts }: Stores, context: PermittedContext): Promise<void> {
  const body = {
    name: TIMEOUT_ALERT.name,
    message: "Product pages may be too slow. Ask the web team.",
    alertType: "threshold" as const,
    metrics: { A: { id: metricID(PAGE_TIMEOUTS) } },
    condition: "greater" as const,
    alertThreshold: 30,
    windowMs: DAY_MS,
    priority: "P2" as const,
  };
  await alerts.create(newAlert(body, context));
}
