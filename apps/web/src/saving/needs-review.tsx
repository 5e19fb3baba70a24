import type { Requirement } from "../api.ts";
import { useBarredReviewer } from "../session/account.ts";
import { ownReviewText } from "../targeting/requirement-words.ts";
import { Notice } from "../ui/notice.tsx";

/** Why a change that is about to be saved needs a review, and who can approve it. Without requirements, its author asks for the review. */
export function NeedsReview({ requirements, isScheduled = false }: { requirements: readonly Requirement[]; isScheduled?: boolean }) {
  const isBarred = useBarredReviewer() !== undefined;
  return (
    <Notice title={requirements.length > 0 ? "This change needs a review" : "You’re asking for a review"}>
      {requirements.length > 0 && <p>{ownReviewText(requirements, isBarred ? "barred author" : "author")}</p>}
      <p>{isScheduled ? "It’s scheduled once it’s approved and published." : "Nothing changes until it’s approved and published."}</p>
    </Notice>
  );
}
