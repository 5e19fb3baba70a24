// What happened in the made-up shop and when. Days are counted from the first of the sample data, times within a day are UTC. Pure.
import { SAMPLE_DAYS } from "../../console/projects/sample-project.ts";

/** The hour of a day at which the shop changes its gates and experiments. */
export const CHANGE_HOUR = 8;

export const FREE_SHIPPING = { id: "free_shipping_bar", startDay: 2, decisionDay: 17 };
export const ONE_PAGE_CHECKOUT = { id: "one_page_checkout", startDay: 18 };
export const LARGER_PHOTOS = { id: "larger_photos", startDay: 28 };
export const EXPRESS_DELIVERY = { id: "express_delivery", startDay: 28, wideningDay: 31 };
/** A draft. */
export const STICKY_BUTTON = { id: "sticky_cart_button" };
export const NEW_SEARCH = "new_search";
export const DELIVERY_OPTIONS = "delivery_options";
/** The alert on slow pages. */
export const TIMEOUT_ALERT = { id: "page_timeouts", name: "Page timeouts" };
/** The changes after the last event. */
export const AFTER_LAST_DAY = SAMPLE_DAYS;

/** Group ids. */
export const CONTROL = "control";
export const TREATMENT = "treatment";

/** Names of events. */
export const EVENTS = {
  view: "product_view",
  cart: "add_to_cart",
  checkout: "begin_checkout",
  address: "add_shipping_info",
  purchase: "purchase",
  timeout: "page_timeout",
} as const;

/** Metrics, as experiments name them. */
export const BUYERS = { name: "Buyers", type: "event_user" } as const;
export const REVENUE = { name: "Revenue", type: "sum" } as const;
export const ORDER_VALUE = { name: "Average order value", type: "mean" } as const;
export const PRODUCT_VIEWS = { name: "Product views", type: "event_count_custom" } as const;
export const PAGE_TIMEOUTS = { name: "Page timeouts", type: "event_count_custom" } as const;
/** It has no step before the checkout: the experiment in the checkout counts only what comes after its exposures. */
export const CHECKOUT_FUNNEL = { name: "Checkout funnel", type: "funnel" } as const;
