import { useQuery } from "@tanstack/react-query";
import { query } from "../api.ts";
import { useRefusal } from "../session/account.ts";
import { type Actor, actorWords, isKey } from "./actor-words.ts";

const MAX_KEYS = 1_000;

/** The descriptions of keys, by their IDs. Empty for readers who may not read keys. */
export function useKeyNames({ enabled = true } = {}): Record<string, string> {
  const mayReadKeys = useRefusal()("read_keys") === undefined;
  const { data } = useQuery({ ...query("listKeys", { query: { limit: MAX_KEYS } }), enabled: enabled && mayReadKeys });
  return Object.fromEntries((data?.data ?? []).map(({ id, description }) => [id, description]));
}

/** The person or key that made a change, or the server. */
export function ActorName(actor: Actor) {
  const names = useKeyNames({ enabled: isKey(actor) });
  return <bdi>{actorWords(actor, names)}</bdi>;
}
