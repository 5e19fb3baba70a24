import { hash } from "node:crypto";
import { HOUR_MS } from "../common/utc-day.ts";
import type { HeldIDLists, StoredList } from "./id-lists.ts";
import type { StatePart } from "./relay-folder.ts";
import type { KnownKey, RelayKeys } from "./relay-keys.ts";
import type { RelayRulesets, StoredRuleset } from "./relay-rulesets.ts";

/** Everything that a relay needs to serve applications without its origin. */
type Held = { keys: Pick<RelayKeys, "known" | "restore">; rulesets: Pick<RelayRulesets, "stored" | "restore">; lists: HeldIDLists };

/** Keys are divided between 256 files by the first digits of the hash of their ID, so that a look-up of one of 10,000 writes few others. */
const KEY_DIGITS = 2;

/**
 * The state in parts. Rulesets come after the lists that they use, the most recently used first. Times of look-ups are stored once an hour,
 * and as they are when the relay closes.
 */
export function toParts({ keys, rulesets, lists }: Held, isLast: boolean): StatePart[] {
  const groups = new Map<string, KnownKey[]>();
  for (const known of keys.known()) {
    const digits = digest(known.key.id).slice(0, KEY_DIGITS);
    const group = groups.get(digits);
    if (group) group.push(known);
    else groups.set(digits, [known]);
  }
  const ofKeys = Array.from(groups, ([digits, known]): StatePart => {
    const mark = known.map(({ key, hash: of, lookedUpAt }) => {
      return [key.id, of, key.version, key.isCovered, isLast ? lookedUpAt : Math.floor(lookedUpAt / HOUR_MS)];
    });
    return { name: `keys-${digits}.json`, mark: JSON.stringify(mark), content: () => known };
  });
  const ofLists = lists.stored().map(({ name, mark, read }): StatePart => ({ name: `list-${digest(name)}.json`, mark, content: read }));
  const ofRulesets = rulesets.stored().map(({ checksum, ...one }): StatePart => {
    const { environments, targetApps } = one.reach;
    const name = digest(JSON.stringify([environments.toSorted(), targetApps.toSorted()]));
    return { name: `ruleset-${name}.json`, mark: `${one.time} ${checksum}`, content: () => one };
  });
  return [...ofKeys, ...ofLists, ...ofRulesets.toReversed()];
}

/** Restores what was stored. @param onBroken called for a file without the expected content */
export function restoreParts(
  { keys, rulesets, lists }: Held,
  files: ReadonlyMap<string, unknown>,
  onBroken: (file: string, err: unknown) => void,
) {
  const restore = {
    keys: (content: unknown) => keys.restore(content as KnownKey[]),
    list: (content: unknown) => lists.restore([content as StoredList]),
    ruleset: (content: unknown) => rulesets.restore([content as StoredRuleset]),
  };
  // Rulesets need their lists.
  for (const kind of ["list", "ruleset", "keys"] as const) {
    for (const [file, content] of files) {
      if (!file.startsWith(`${kind}-`)) continue;
      try {
        restore[kind](content);
      } catch (err) {
        onBroken(file, err);
      }
    }
  }
}

const digest = (text: string): string => hash("sha256", text);
