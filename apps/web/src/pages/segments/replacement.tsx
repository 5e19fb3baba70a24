import { explain } from "../../explain.ts";
import { Loading, Notice } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/number-text.ts";
import { DownloadIDs } from "./download-ids.tsx";
import type { Segment } from "./segment-draft.ts";

/** IDs of a step. A longer list is replaced in more than one. */
const STEP = 50_000;

export const countIDs = (ids: number): string => (ids === 1 ? "1 ID" : `${formatNumber(ids)} IDs`);

type Props = { segment: Segment /** Undefined while they are counted. */; added?: number; error?: unknown };

/** Says what the replacement does before it starts, and saves the present IDs. */
export function Replacement({ segment, added, error }: Props) {
  if (error !== undefined) return <Notice tone="bad">{explain(error)}</Notice>;
  if (added === undefined) return <Loading label="Counting IDs" />;
  if (added === 0) return <Notice tone="warn">No IDs found.</Notice>;
  return (
    <>
      <Notice tone="warn">
        Removes {countIDs(segment.count)} and adds {formatNumber(added)}. This can’t be undone.
        {added > STEP && " Up to 50,000 IDs replace the list in one step, and the rest follow in parts."}
      </Notice>
      <div>
        <DownloadIDs segment={segment} />
      </div>
    </>
  );
}
