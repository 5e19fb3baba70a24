import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { query } from "../api.ts";
import type { Noun } from "../kinds/kinds.ts";
import { Notice } from "../ui/notice.tsx";
import { combineLists, useShownEntities } from "./page-changes.ts";

/** Says that changes to the shown entity wait for a review. */
export function ReviewNotice({ noun }: { noun: Noun }) {
  const { projectID, entityID, types } = useShownEntities(noun);
  const { found, items: reviews } = useQueries({
    queries: types.map((entityType) => ({
      ...query("listReviews", { query: { open: true, entityType, entityID: entityID ?? "", limit: 2 } }),
      enabled: entityID !== undefined,
    })),
    combine: (answers) =>
      combineLists(
        types,
        answers.map(({ data }) => data),
      ),
  });
  const [only] = reviews;
  if (projectID === undefined || entityID === undefined || only === undefined) return null;
  const [first] = found;
  const isOne = reviews.length === 1;
  return (
    <Notice
      actions={
        isOne ? (
          <Link to="/projects/$projectID/reviews/$id" params={{ projectID, id: only.id }}>
            View review
          </Link>
        ) : (
          <Link
            to="/projects/$projectID/reviews"
            params={{ projectID }}
            search={{ tab: "all", ...(first !== undefined && { type: first.type, entity: entityID }) }}
          >
            View reviews
          </Link>
        )
      }
    >
      {!isOne
        ? "Several changes are in review. They aren’t live yet."
        : only.status === "APPROVED"
          ? "A change is approved. It isn’t live until someone publishes it."
          : "A change is in review. It isn’t live yet."}
    </Notice>
  );
}
