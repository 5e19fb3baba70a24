import { useQueries } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { query } from "../api.ts";
import { AUDITED_TYPES, type EntityType, findHost, type Noun, typeWithNoun } from "../kinds/kinds.ts";
import { approversText } from "../targeting/requirement-words.ts";
import { Notice } from "../ui/notice.tsx";

/** The types of entities that a page edits: the entity, and what its tabs show. */
function typesOnPage(type: EntityType | undefined): EntityType[] {
  if (type === undefined) return [];
  if (type === "settings") return [type, "environment_set"];
  return [type, ...AUDITED_TYPES.filter((part) => findHost(part)?.type === type)];
}

/** Says that changes to the shown entity wait for a review. */
export function ReviewNotice({ noun }: { noun: Noun }) {
  const { projectID, id } = useParams({ strict: false });
  const type = typeWithNoun(noun);
  // The settings have the project's ID.
  const entityID = type === "settings" ? projectID : id;
  const found = useQueries({
    queries: typesOnPage(type).map((entityType) => ({
      ...query("listReviews", { query: { open: true, entityType, entityID: entityID ?? "", limit: 2 } }),
      enabled: entityID !== undefined,
    })),
    combine: (answers) =>
      answers.map(({ data }, index) => ({
        type: typesOnPage(type)[index],
        reviews: data?.data ?? [],
        total: data?.pagination.totalItems ?? 0,
      })),
  });
  // A change of the entity and its parts is one review.
  const reviews = [...new Map(found.flatMap((one) => one.reviews.map((review) => [review.id, review] as const))).values()];
  const [only] = reviews;
  if (projectID === undefined || entityID === undefined || only === undefined) return null;
  const first = found.find(({ total }) => total > 0);
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
            search={{ tab: "all", ...(first?.type !== undefined && { type: first.type, entity: entityID }) }}
          >
            View reviews
          </Link>
        )
      }
    >
      {!isOne
        ? "Several changes are in review. They aren’t live yet."
        : only.status === "APPROVED"
          ? "A change is approved. It isn’t live until someone commits it."
          : `A change is in review. It isn’t live yet. ${approversText(only.requirements)}`}
    </Notice>
  );
}
