// A day of the made-up shop: its customers' events, and what gates and experiments showed them. Pure, but for the given evaluation.
import { DAY_MS, HOUR_MS } from "../../common/utc-day.ts";
import { CUSTOMERS, type Customer, customer, type Habits, type Random, randomFor, seasonOf } from "./shop-customers.ts";
import {
  CHANGE_HOUR,
  DELIVERY_OPTIONS,
  EVENTS,
  EXPRESS_DELIVERY,
  FREE_SHIPPING,
  LARGER_PHOTOS,
  NEW_SEARCH,
  ONE_PAGE_CHECKOUT,
  TREATMENT,
} from "./shop-plan.ts";

/** What the shop's application asks an SDK, which logs the exposure. */
export type Shown = {
  gate(name: string, user: Customer, time: number): void;
  /** @returns the group or rule that decided */
  config(name: string, user: Customer, time: number): string;
};

export type LogEvent = (event: {
  eventName: string;
  user: Customer;
  time: number;
  value?: number;
  metadata?: Record<string, string>;
}) => void;

/** A day of the data, by its number from 0 and from the epoch. Nothing happens after `endTime`, ms. */
export type Day = { number: number; utcDay: number; endTime: number };
type Visit = { day: Day; user: Customer; habits: Habits; random: Random; time: number };

/** How likely a checkout ends with an order, and a visit with a page that does not load in time. */
const ORDERS = 0.5;
/** How likely a customer enters an address and does not order. */
const GIVES_UP_AT_PAYMENT = 0.2;
const TIMEOUTS = 0.035;
/** How many times more likely each is in the treatment of the experiment that changes it. */
const ORDERS_WITH_FREE_SHIPPING = 1.35;
const ORDERS_ON_ONE_PAGE = 1.4;
const TIMEOUTS_WITH_LARGE_PHOTOS = 3;
const MORE_VIEWS_WITH_LARGE_PHOTOS = 0.35;
const CHECKS_OUT = 0.62;
const SEARCHES = 0.12;
const CATEGORIES = ["kitchen", "lighting", "textiles", "garden"];
const SECOND_MS = 1_000;
/** The hours in which customers visit. */
const OPENING = 6;
const OPEN_HOURS = 17;

/** Logs the events of a day, customer by customer. */
export function replayDay(day: Day, shown: Shown, log: LogEvent): void {
  for (let number = 0; number < CUSTOMERS; number++) {
    const random = randomFor(number, day.number);
    const { user, habits } = customer(number);
    if (random() >= habits.dailyVisits * seasonOf(day.utcDay)) continue;
    const time = day.utcDay * DAY_MS + Math.floor((OPENING + OPEN_HOURS * random()) * HOUR_MS);
    if (time + HOUR_MS < day.endTime) visit({ day, user, habits, random, time }, shown, log);
  }
}

function visit(visit: Visit, shown: Shown, log: LogEvent): void {
  const { user, habits, random, time } = visit;
  // Every chance is drawn whether it matters or not, so that an experiment changes nothing else.
  const [searches, moreViews, secondView, timesOut, adds, checksOut, orders, amount, category] = Array.from({ length: 9 }, random) as [
    ...[number, number, number, number, number, number, number, number, number],
  ];
  const at = (seconds: number) => time + seconds * SECOND_MS;
  const show = (id: string, seconds: number) => shown.config(id, user, at(seconds)) === TREATMENT;
  const metadata = { category: CATEGORIES[Math.floor(category * CATEGORIES.length)] ?? "kitchen" };
  if (searches < SEARCHES) shown.gate(NEW_SEARCH, user, at(0));
  const hasLargePhotos = isOpen(LARGER_PHOTOS.startDay, visit) && show(LARGER_PHOTOS.id, 20);
  const views = 1 + Number(secondView < 0.3) + Number(hasLargePhotos && moreViews < MORE_VIEWS_WITH_LARGE_PHOTOS);
  for (let view = 0; view < views; view++) log({ eventName: EVENTS.view, user, time: at(30 + 40 * view), metadata });
  if (timesOut < TIMEOUTS * (hasLargePhotos ? TIMEOUTS_WITH_LARGE_PHOTOS : 1)) log({ eventName: EVENTS.timeout, user, time: at(160) });
  if (adds >= habits.addsToCart) return;
  log({ eventName: EVENTS.cart, user, time: at(200), metadata });
  const isBarOpen = isOpen(FREE_SHIPPING.startDay, visit) && !isOpen(FREE_SHIPPING.decisionDay, visit);
  const hasBar = isBarOpen && show(FREE_SHIPPING.id, 202);
  if (checksOut >= CHECKS_OUT) return;
  if (isOpen(EXPRESS_DELIVERY.startDay, visit)) shown.gate(EXPRESS_DELIVERY.id, user, at(240));
  shown.config(DELIVERY_OPTIONS, user, at(241));
  const isOnePage = isOpen(ONE_PAGE_CHECKOUT.startDay, visit) && show(ONE_PAGE_CHECKOUT.id, 242);
  log({ eventName: EVENTS.checkout, user, time: at(243) });
  const likelihood = ORDERS * (hasBar ? ORDERS_WITH_FREE_SHIPPING : 1) * (isOnePage ? ORDERS_ON_ONE_PAGE : 1);
  if (orders >= likelihood + GIVES_UP_AT_PAYMENT) return;
  log({ eventName: EVENTS.address, user, time: at(330) });
  if (orders >= likelihood) return;
  const value = Math.round(100 * habits.typicalOrder * (0.7 + 0.6 * amount)) / 100;
  log({ eventName: EVENTS.purchase, user, time: at(420), value, metadata: { ...metadata, currency: "USD" } });
}

/** Whether a visit comes after the changes of a day. */
function isOpen(since: number, { day, time }: Visit): boolean {
  return day.number > since || (day.number === since && time >= day.utcDay * DAY_MS + CHANGE_HOUR * HOUR_MS);
}
