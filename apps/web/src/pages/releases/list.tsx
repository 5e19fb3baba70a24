import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { query } from "../../api.ts";
import { ReleaseList } from "../../releases/release-list.tsx";
import { Page } from "../../shell/page.tsx";
import { Pager } from "../../shell/pager.tsx";
import { Empty } from "../../ui/notice.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { type PageSearch, pageRequest, TABS, type Tab } from "./page-search.ts";

const FROM = "/projects/$projectID/releases";

/** Releases that are in progress, those that wait for approval, and those that have ended. */
export default function ReleasesPage() {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  return (
    <Page title="Releases">
      <Tabs
        label="Releases"
        selected={search.tab ?? "active"}
        onSelect={(tab: Tab) => void navigate({ search: tab === "active" ? {} : { tab } })}
        tabs={(Object.keys(TABS) as Tab[]).map((id) => ({ id, label: TABS[id].label, content: () => <Releases search={search} /> }))}
      />
    </Page>
  );
}

const EMPTY: Record<Tab, string> = {
  active: "No active releases",
  waiting: "No releases are waiting for approval",
  ended: "No releases have ended",
};

function Releases({ search }: { search: PageSearch }) {
  const navigate = useNavigate({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("listReleases", pageRequest(search)));
  const { tab = "active" } = search;
  return (
    <>
      {answer.data.length === 0 ? (
        <Empty title={EMPTY[tab]}>
          {tab === "active" &&
            "Changes to gates and dynamic configs that have a release pipeline are released in phases. They’re listed here."}
        </Empty>
      ) : (
        <ReleaseList releases={answer.data} />
      )}
      <Pager
        pagination={answer.pagination}
        noun="releases"
        onPage={(page) => {
          const { page: _, ...others } = search;
          void navigate({ search: { ...others, ...(page > 1 && { page }) } });
        }}
      />
    </>
  );
}
