import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { query } from "../api.ts";
import type { Noun } from "../kinds/kinds.ts";
import { Notice } from "../ui/notice.tsx";
import { Time } from "../ui/time.tsx";
import { combineLists, useShownEntities } from "./page-changes.ts";

/** Says that changes to the shown entity and its parts are scheduled, and when the next one is applied. */
export function ScheduledNotice({ noun }: { noun: Noun }) {
  const { projectID, entityID, types } = useShownEntities(noun);
  const { found, items } = useQueries({
    queries: types.map((entityType) => ({
      ...query("listScheduledChanges", { query: { status: "SCHEDULED", entityType, entityID: entityID ?? "", limit: 2 } }),
      enabled: entityID !== undefined,
    })),
    combine: (answers) =>
      combineLists(
        types,
        answers.map(({ data }) => data),
      ),
  });
  const [first, ...others] = found;
  if (projectID === undefined || entityID === undefined || first === undefined) return null;
  // The list on the page of scheduled changes has one type, or all of them.
  const isOneType = others.length === 0;
  const many = isOneType ? `${first.total} changes are scheduled` : "Several changes are scheduled";
  return (
    <Notice
      actions={
        <Link
          to="/projects/$projectID/scheduled-changes"
          params={{ projectID }}
          search={isOneType || items.length === 1 ? { type: first.type, entity: entityID } : {}}
        >
          View
        </Link>
      }
    >
      {items.length === 1 ? "A scheduled change takes effect" : `${many}. The next one takes effect`}{" "}
      <Time time={Math.min(...items.map(({ applyAt }) => applyAt))} />.
    </Notice>
  );
}
