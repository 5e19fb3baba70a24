import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { query } from "../../api.ts";
import { entityNoun } from "../../kinds/kinds.ts";
import { Page } from "../../shell/page.tsx";
import { Pager } from "../../shell/pager.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { Empty } from "../../ui/notice.tsx";
import { ScheduledItem } from "./item.tsx";
import { pageRequest, STATUSES, type Status } from "./page-search.ts";
import styles from "./scheduled-changes.module.css";

const FROM = "/projects/$projectID/scheduled-changes";
const OPTIONS = [...Object.entries(STATUSES).map(([id, { name }]) => ({ id, label: name })), { id: "all", label: "All" }];

/** Scheduled changes, the next one first, and those that were applied, failed, or were canceled. */
export default function ScheduledChangesPage() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("listScheduledChanges", pageRequest(search)));
  const { status = "SCHEDULED", type, entity } = search;
  const isFiltered = status !== "SCHEDULED" || entity !== undefined;
  return (
    <Page title="Scheduled changes">
      <search className={styles.filters} aria-label="Filters">
        <Select
          label="Status"
          options={OPTIONS}
          value={status}
          onChange={(id) => {
            const { page: _, status: __, ...others } = search;
            void navigate({ search: { ...others, ...(id !== "SCHEDULED" && { status: id as Status | "all" }) } });
          }}
        />
        {type !== undefined && entity !== undefined && (
          <p className={styles.only}>
            Showing changes to the {entityNoun(type)} <code>{entity}</code>.{" "}
            <Button look="quiet" onPress={() => void navigate({ search: status === "SCHEDULED" ? {} : { status } })}>
              Show all entities
            </Button>
          </p>
        )}
      </search>
      {answer.data.length === 0 ? (
        <Empty title={isFiltered ? "No scheduled changes match" : "No scheduled changes"}>
          {!isFiltered && "To schedule a change, edit as usual, select Review, and choose a later time under When."}
        </Empty>
      ) : (
        <ol className={styles.list} aria-label="Scheduled changes">
          {answer.data.map((change) => (
            <ScheduledItem key={change.id} change={change} />
          ))}
        </ol>
      )}
      <Pager
        pagination={answer.pagination}
        noun="scheduled changes"
        onPage={(page) => {
          const { page: _, ...others } = search;
          void navigate({ search: { ...others, ...(page > 1 && { page }) } });
        }}
      />
    </Page>
  );
}
