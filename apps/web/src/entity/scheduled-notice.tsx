import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { query } from "../api.ts";
import { type Noun, typeWithNoun } from "../kinds/kinds.ts";
import { Notice } from "../ui/notice.tsx";
import { Time } from "../ui/time.tsx";

/** Says that changes to the shown entity are scheduled, and when the next one is applied. */
export function ScheduledNotice({ noun }: { noun: Noun }) {
  const { projectID, id } = useParams({ strict: false });
  const entityType = typeWithNoun(noun);
  const { data: answer } = useQuery({
    ...query("listScheduledChanges", { query: { status: "SCHEDULED", entityType: entityType ?? "", entityID: id ?? "", limit: 1 } }),
    enabled: entityType !== undefined && id !== undefined,
  });
  const next = answer?.data[0];
  if (answer === undefined || next === undefined || entityType === undefined || projectID === undefined) return null;
  const { totalItems } = answer.pagination;
  return (
    <Notice
      actions={
        <Link
          to="/projects/$projectID/scheduled-changes"
          params={{ projectID }}
          search={{ type: entityType, ...(id !== undefined && { entity: id }) }}
        >
          View
        </Link>
      }
    >
      {totalItems === 1 ? "A scheduled change takes effect" : `${totalItems} changes are scheduled. The next one takes effect`}{" "}
      <Time time={next.applyAt} />.
    </Notice>
  );
}
