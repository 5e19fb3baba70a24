// The names of who made a change, in words. Pure.

/** Who made a change. The server says “CONSOLE API” of all keys. */
export type Actor = { id: string | null | undefined; name: string | null };

const KEY = "CONSOLE API";
const WORDS: Readonly<Record<string, string>> = { system: "Gatehouse", anonymous: "Someone without an account" };

export const isKey = ({ name }: Actor): boolean => name === KEY;

/** @param names of keys and people, by their IDs */
export function actorWords(actor: Actor, names: Readonly<Record<string, string>> = {}): string {
  const { id, name } = actor;
  const known = names[id ?? ""];
  if (isKey(actor)) return known ? `Key “${known}”` : "Console key";
  return WORDS[id ?? ""] ?? name ?? known ?? "Unnamed user";
}
