import { useQuery } from "@tanstack/react-query";
import { query, type Request } from "../api.ts";
import { Notice } from "../ui/notice.tsx";

const MAX_SHOWN = 100;

export type ReferencedType = NonNullable<Request<"listReferences">["query"]>["type"];

/** The entities that read an entity. */
export const referencesQuery = (type: ReferencedType, id: string) => query("listReferences", { query: { type, id, limit: MAX_SHOWN } });

/** For a review: the other entities affected. */
export function ReadBy({ type, id, noun }: { type: ReferencedType; id: string; noun: string }) {
  const { data } = useQuery(referencesQuery(type, id));
  const readers = data?.data ?? [];
  if (readers.length === 0) return null;
  return (
    <Notice title={`Others depend on this ${noun}`}>
      <bdi>{readers.map(({ type: kind, id: user, name }) => `${name ?? user} (${kind.replaceAll("_", " ")})`).join(", ")}</bdi>
    </Notice>
  );
}
