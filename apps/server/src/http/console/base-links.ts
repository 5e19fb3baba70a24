import type { Schema } from "@gatehouse/contract/console";

/** Puts the base path in front of the links to other pages of a list, so that they work at the origin of the server's URL. */
export function withBasePath<Body extends object | undefined>(body: Body, basePath: string): Body {
  const { pagination } = (body ?? {}) as { pagination?: Schema<"Pagination"> };
  if (basePath === "" || pagination === undefined) return body;
  const link = <Link extends string | null>(path: Link) => (path === null ? path : basePath + path) as Link;
  const { nextPage, previousPage, all } = pagination;
  return { ...body, pagination: { ...pagination, nextPage: link(nextPage), previousPage: link(previousPage), all: link(all) } };
}
