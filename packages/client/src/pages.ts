type Page<Item> = { data: Item[]; pagination?: { nextPage: string | null } };
type PageRequest = { query?: { page?: number; limit?: number } };
type ListMethod<Request extends PageRequest, Item> = (request: Request) => Promise<Page<Item>>;

/** Most list operations answer this many results to a page at once. */
const LIMIT = 100;

/**
 * Every item of a list, page after page: `for await (const gate of pages(api.listGates, { query: { tags: ["checkout"] } }))`.
 * Newest first, so that an item which is created meanwhile is not seen, and none that was there is left out.
 * @throws ConsoleApiError when a page cannot be read
 */
export async function* pages<Request extends PageRequest, Item>(
  list: ListMethod<Request, Item>,
  request?: Request,
): AsyncGenerator<Item, void, undefined> {
  const limit = request?.query?.limit ?? LIMIT;
  for (let page = request?.query?.page ?? 1; ; page++) {
    const { data, pagination } = await list({ ...request, query: { ...request?.query, limit, page } } as Request);
    yield* data;
    // Lists without a pagination object end with a page that is not full.
    const isLast = pagination ? pagination.nextPage === null : data.length < limit;
    if (isLast) return;
  }
}
