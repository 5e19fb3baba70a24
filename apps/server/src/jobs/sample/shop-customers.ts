// The customers of the made-up shop, and what they do. All chances follow from a customer's number and the day, so they never differ. Pure.

export const CUSTOMERS = 5_200;

/** A customer, as the shop's application tells it to an SDK. */
export type Customer = {
  userID: string;
  country: string;
  appVersion: string;
  custom: { platform: string; loyalty: string };
  statsigEnvironment: { tier: string };
};

/** How often a customer visits the shop, and how likely a visit gets further. */
export type Habits = { dailyVisits: number; addsToCart: number; typicalOrder: number };

/** Numbers from 0 to below 1. */
export type Random = () => number;

/** Numbers that follow from two integers (SplitMix32 of their mix). */
export function randomFor(first: number, second: number): Random {
  let state = Math.imul(first + 0x9e3779b9, 0x85ebca6b) ^ Math.imul(second + 1, 0xc2b2ae35);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

const COUNTRIES: [string, number][] = [
  ["US", 0.44],
  ["GB", 0.15],
  ["DE", 0.13],
  ["CA", 0.11],
  ["FR", 0.09],
  ["SE", 0.08],
];
const PLATFORMS: [string, number][] = [
  ["web", 0.52],
  ["ios", 0.29],
  ["android", 0.19],
];
const LOYALTY: [string, number][] = [
  ["none", 0.72],
  ["silver", 0.2],
  ["gold", 0.08],
];
const VERSIONS: [string, number][] = [
  ["4.12.0", 0.55],
  ["4.11.2", 0.3],
  ["4.9.0", 0.15],
];
/** The share of customers who come back often. */
const REGULARS = 0.25;

/** A customer by number. The same number is the same customer. */
export function customer(number: number): { user: Customer; habits: Habits } {
  const random = randomFor(number, -1);
  const isRegular = random() < REGULARS;
  return {
    user: {
      userID: `customer-${10_000 + number}`,
      country: choose(COUNTRIES, random()),
      appVersion: choose(VERSIONS, random()),
      custom: { platform: choose(PLATFORMS, random()), loyalty: choose(LOYALTY, random()) },
      statsigEnvironment: { tier: "production" },
    },
    habits: { dailyVisits: isRegular ? 0.26 : 0.08, addsToCart: isRegular ? 0.36 : 0.28, typicalOrder: 28 + 60 * random() ** 2 },
  };
}

function choose(shares: readonly [string, number][], chance: number): string {
  let rest = chance;
  for (const [value, share] of shares) {
    if (rest < share) return value;
    rest -= share;
  }
  return shares[0]?.[0] ?? "";
}

/** How many times more visits than on average each day of the week has, from Sunday. */
const WEEKDAYS = [1.18, 0.92, 0.88, 0.9, 0.96, 1.02, 1.14];
/** The weekday of the epoch. */
const THURSDAY = 4;

/** @param utcDay counted from the epoch */
export function seasonOf(utcDay: number): number {
  return WEEKDAYS[(utcDay + THURSDAY) % 7] ?? 1;
}
