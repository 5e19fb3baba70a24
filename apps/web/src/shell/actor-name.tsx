import { useQuery } from "@tanstack/react-query";
import { query } from "../api.ts";
import { useRefusal } from "../session/account.ts";
import { type Actor, actorWords, isKey } from "./actor-words.ts";

/** The person or key that made a change, or the server. */
export function ActorName(actor: Actor) {
  const mayReadKeys = useRefusal()("read_keys") === undefined;
  const { data: keys } = useQuery({ ...query("listKeys", { query: { limit: 1_000 } }), enabled: isKey(actor) && mayReadKeys });
  const names = Object.fromEntries((keys?.data ?? []).map(({ id, description }) => [id, description]));
  return <bdi>{actorWords(actor, names)}</bdi>;
}
