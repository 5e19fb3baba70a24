const items = new Map<string, string>();

/** The storage of a device, in memory. */
export default {
  getAllKeys: async () => [...items.keys()],
  getItem: async (key: string) => items.get(key) ?? null,
  setItem: async (key: string, value: string) => void items.set(key, value),
  removeItem: async (key: string) => void items.delete(key),
};
