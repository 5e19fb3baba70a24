type Page = { data: unknown[]; pagination?: { nextPage: string | null } };
type PageRequest = { query?: { page?: number; limit?: number } };

/** A method that answers `data` as an array and takes `limit` and `page`. What else it takes is its own matter. */
// biome-ignore lint/suspicious/noExplicitAny: a list may have any path parameters
export type ListMethod = (request: { query: { page: number; limit: number }; path: any }) => Promise<Page>;

type ListItem<List extends ListMethod> = Awaited<ReturnType<List>>["data"][number];

/** Most list operations answer this many results to a page at once. */
const PAGE_LIMIT = 100;

/**
 * Every item of a list, page after page: `for await (const gate of pages(api.listGates, { query: { tags: ["checkout"] } }))`.
 * It takes what the method takes; `query.limit` is how many to fetch at once (100), `query.page` where to begin.
 *
 * Lists are newest first. What is created meanwhile is not seen, but pushes the item at a page's end to the next page, where it comes a second
 * time; what is deleted meanwhile can hide one from the next page.
 * @throws ConsoleApiError when a page cannot be read
 */
export async function* pages<List extends ListMethod>(
  list: List,
  ...[request]: Parameters<List>
): AsyncGenerator<ListItem<List>, void, undefined> {
  const read = list as unknown as (request: PageRequest) => Promise<Page>;
  const query = (request as PageRequest | undefined)?.query;
  const limit = query?.limit ?? PAGE_LIMIT;
  for (let page = query?.page ?? 1; ; page++) {
    const { data, pagination } = await read({ ...(request as object | undefined), query: { ...query, limit, page } });
    yield* data as ListItem<List>[];
    // Lists without a pagination object end with a page that is not full.
    const isLast = pagination ? pagination.nextPage === null : data.length < limit;
    if (isLast || data.length === 0) return;
  }
}
