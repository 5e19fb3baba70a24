type Page = { data: unknown[]; pagination?: { nextPage: string | null } };
type PageRequest = { query?: { page?: number; limit?: number } };

/** A method that returns `data` as an array and takes `limit` and `page`. */
// biome-ignore lint/suspicious/noExplicitAny: a list may have any path parameters
export type ListMethod = (request: { query: { page: number; limit: number }; path: any }) => Promise<Page>;

type ListItem<List extends ListMethod> = Awaited<ReturnType<List>>["data"][number];

/** The largest page of most list operations. */
const PAGE_LIMIT = 100;

/**
 * Every item of a list, page after page: `for await (const gate of pages(api.listGates, { query: { tags: ["checkout"] } }))`. It takes the
 * arguments of the method. `query.limit` is the size of pages (default 100), and `query.page` the first page.
 *
 * Lists are newest first. An item created during the listing is not returned, but shifts the last item of a page to the next page, so that
 * this one is returned again. A deletion during the listing can hide an item.
 * @throws ConsoleApiError if a page cannot be read
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
