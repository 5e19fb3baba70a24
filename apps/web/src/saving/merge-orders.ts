// The order of a list that two people changed. Pure.
import { equal } from "../targeting/equal.ts";

type Orders = { mine: string[]; theirs: string[] };

/**
 * The order of the items that are kept. The side that moved items decides; items of the other one come after the item that they followed
 * there. Without `merged`, both moved items, and either order can be chosen.
 */
export function mergeOrders(base: string[], mine: string[], theirs: string[]): Orders & { merged?: string[] } {
  const orders = { mine: withOthers(mine, theirs), theirs: withOthers(theirs, mine) };
  if (equal(orders.mine, orders.theirs) || !isMoved(base, mine)) return { ...orders, merged: orders.theirs };
  if (!isMoved(base, theirs) || equal(common(mine, theirs), common(theirs, mine))) return { ...orders, merged: orders.mine };
  return orders;
}

const common = (list: string[], other: string[]): string[] => list.filter((key) => other.includes(key));

const isMoved = (base: string[], list: string[]): boolean => !equal(common(base, list), common(list, base));

/** The list with the items that only the other one has, each after the item that it follows there. */
function withOthers(list: string[], other: string[]): string[] {
  const order = [...list];
  for (const [index, key] of other.entries()) {
    if (order.includes(key)) continue;
    const before = other.slice(0, index).findLast((one) => order.includes(one));
    let at = before === undefined ? 0 : order.indexOf(before) + 1;
    // Items that were already added there stay before it.
    while (at < order.length && !other.includes(order[at] ?? "")) at++;
    order.splice(at, 0, key);
  }
  return order;
}
