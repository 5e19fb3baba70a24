type IDListEntry = { name: string; url: string; size: number };

/** The hashes in each id list that the key can read, as SDKs compute them from the lists' files. */
export async function readIDLists(url: string, key: string): Promise<Record<string, string[]>> {
  const response = await fetch(`${url}/v1/get_id_lists`, { method: "POST", headers: { "STATSIG-API-KEY": key } });
  const lists = Object.values((await response.json()) as Record<string, IDListEntry>);
  const read = async (list: IDListEntry) => {
    const file = await fetch(list.url, { headers: { "STATSIG-API-KEY": key } });
    return [list.name, hashesIn(await file.text())] as const;
  };
  return Object.fromEntries(await Promise.all(lists.map(read)));
}

/** Each line of a file adds or removes a hash. */
function hashesIn(file: string): string[] {
  const hashes = new Set<string>();
  for (const line of file.split("\n").filter((text) => text !== "")) {
    if (line.startsWith("+")) hashes.add(line.slice(1).trim());
    else hashes.delete(line.slice(1).trim());
  }
  return [...hashes];
}
