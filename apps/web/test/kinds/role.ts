import { LETTERS, named } from "../support/hostile.ts";
import type { KindTest } from "../support/kind.ts";

export default {
  createHostile: async (api) => named((await api.createRole({ body: { name: LETTERS, permissions: { read: true } } })).data),
  flow: null,
} satisfies KindTest;
