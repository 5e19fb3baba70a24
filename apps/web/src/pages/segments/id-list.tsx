import { X } from "lucide-react";
import { useState } from "react";
import type { Answer } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { IconButton } from "../../ui/button.tsx";
import { Empty } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/number-text.ts";
import { RemoveID } from "./remove-id.tsx";
import type { Segment } from "./segment-draft.ts";
import styles from "./segments.module.css";
import type { ListType } from "./transfer.ts";

type Props = {
  segment: Segment;
  type: ListType;
  list: Answer<"getSegmentIDList">["data"];
  /** The beginning of the listed IDs, if the reader searches. */
  search: string | undefined;
  /** Whether the list is that of the search before, while this one's loads. */
  isEarlier: boolean;
  disabledReason: string | undefined;
};

/** A page of the IDs, or of those that start with the searched text, each with its removal. */
export function IDList({ segment, type, list: { ids, count }, search, isEarlier, disabledReason }: Props) {
  const [removed, setRemoved] = useState<string>();
  return (
    <>
      {search !== undefined && !isEarlier && <Answered search={search} ids={ids} count={count} />}
      {count === 0 ? (
        search === undefined && <Empty title="No IDs">The segment is empty.</Empty>
      ) : (
        <ul className={`${entity.card} ${styles.ids}`} aria-label="IDs">
          {ids.map((id) => (
            <li key={id}>
              <bdi title={id}>{id}</bdi>
              <IconButton label={`Remove ${id}`} disabledReason={disabledReason} onPress={() => setRemoved(id)}>
                <X aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {removed !== undefined && <RemoveID segment={segment} type={type} id={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}

/** Whether the searched ID is listed. The list is sorted, so it would be the first one that starts with it. */
function Answered({ search, ids, count }: { search: string; ids: readonly string[]; count: number }) {
  const isListed = ids[0] === search;
  const others = isListed ? count - 1 : count;
  return (
    <p role="status">
      <strong>
        <bdi>{search}</bdi>
      </strong>{" "}
      {isListed ? "is in the segment." : "isn’t in the segment."}
      {others > 0 && ` ${formatNumber(others)} ${isListed ? "more " : ""}${others === 1 ? "ID starts" : "IDs start"} with it.`}
    </p>
  );
}
