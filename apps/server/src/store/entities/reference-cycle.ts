import { invalid } from "../../common/errors.ts";
import { words } from "../../common/words.ts";
import { lock } from "../database/locks.ts";
import type { Db } from "../database/unit-of-work.ts";
import type { Reference } from "./reference.ts";

type Node = { type: string; id: string };
/** How the search reached a node: the previous node, and the added reference that it began with. */
type Arrival = { from: Node; reference: Reference };

/** Gates and segments are evaluated as conditions of others, so their references must not form a cycle. */
const isEvaluated = ({ type }: Node) => type === "gate" || type === "segment";

/**
 * Rejects a reference that closes a cycle of gates and segments. Writes that add such references take a lock, since two concurrent ones
 * could close a cycle that neither sees.
 * @throws AppError invalid_request with the path of the cycle
 */
export async function requireNoCycle(db: Db, projectID: string, source: Node, added: Reference[]): Promise<void> {
  const first = added.filter(isEvaluated);
  if (!isEvaluated(source) || first.length === 0) return;
  await lock(db, `evaluated ${projectID}`);
  const arrivals = new Map<string, Arrival>(first.map((reference) => [toKey(reference), { from: source, reference }]));
  let frontier: Node[] = first;
  while (frontier.length > 0 && !arrivals.has(toKey(source))) frontier = await advance(db, projectID, frontier, arrivals);
  const last = arrivals.get(toKey(source));
  if (!last) return;
  const errorMessage = `creates a cycle: ${pathTo(source, arrivals)
    .map(({ type, id }) => `${words(type)} ${id}`)
    .join(" → ")}`;
  throw invalid([{ property: last.reference.place, errorMessage }]);
}

/** The nodes that the frontier references and that were not reached before. */
async function advance(db: Db, projectID: string, frontier: Node[], arrivals: Map<string, Arrival>): Promise<Node[]> {
  const edges = await db.$queryRaw<{ fromType: string; fromID: string; type: string; id: string }[]>`
    select "fromType", "fromID", "toType" as type, "toID" as id from reference
    where "projectID" = ${projectID} and "toType" in ('gate', 'segment')
    and ("fromType", "fromID") in (select * from unnest(${frontier.map(({ type }) => type)}::text[], ${frontier.map(({ id }) => id)}::text[]))`;
  const next: Node[] = [];
  for (const { fromType, fromID, type, id } of edges) {
    const from = { type: fromType, id: fromID };
    const node = { type, id };
    if (arrivals.has(toKey(node))) continue;
    arrivals.set(toKey(node), { from, reference: (arrivals.get(toKey(from)) as Arrival).reference });
    next.push(node);
  }
  return next;
}

function pathTo(source: Node, arrivals: Map<string, Arrival>): Node[] {
  const path = [source];
  for (let at = arrivals.get(toKey(source)); at; at = toKey(at.from) === toKey(source) ? undefined : arrivals.get(toKey(at.from))) {
    path.push(at.from);
  }
  return path.reverse();
}

const toKey = ({ type, id }: Node) => `${type} ${id}`;
