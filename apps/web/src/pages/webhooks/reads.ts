/** A project has at most 500 webhooks. */
export const LIST = { query: { limit: 1_000 } };
