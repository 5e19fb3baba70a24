/** Finds id lists by name. A list that is not a Set is converted at its first use. */
export function createIDLists(lists: Record<string, Iterable<string>>): (name: string) => ReadonlySet<string> | undefined {
  const sets = new WeakMap<Iterable<string>, Set<string>>();
  return (name) => {
    const list = Object.hasOwn(lists, name) ? lists[name] : undefined;
    if (list === undefined || list instanceof Set) return list;
    const set = sets.get(list) ?? new Set(list);
    sets.set(list, set);
    return set;
  };
}
