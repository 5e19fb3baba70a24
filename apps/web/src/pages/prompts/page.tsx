import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { invalidate, query, type Schema } from "../../api.ts";
import { Facts } from "../../entity/facts.tsx";
import { HistoryTab, MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { kinds } from "../../kinds/kinds.ts";
import { useRefusal } from "../../session/account.ts";
import { Page } from "../../shell/page.tsx";
import { ownerText } from "../../targeting/owner-fields.ts";
import { Chip } from "../../ui/badge.tsx";
import { soon } from "../../ui/soon.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { Versions } from "./versions.tsx";

const Evaluations = soon(() => import("./evaluations-tab.tsx"));
const Playground = soon(() => import("./playground-tab.tsx"));

const FROM = "/projects/$projectID/prompts/$id";

export default function PromptPage() {
  const { projectID, id } = useParams({ from: FROM });
  const { tab = "versions" } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const { data: prompt, etag } = useSuspenseQuery(query("getPrompt", { path: { id } })).data;
  return (
    <Page
      title={prompt.displayName}
      above={
        <Link to="/projects/$projectID/prompts" params={{ projectID }}>
          Prompts
        </Link>
      }
      beside={<code>{prompt.id}</code>}
    >
      <Tabs
        label="Parts of the prompt"
        selected={tab}
        onSelect={(chosen) => void navigate({ search: chosen === "versions" ? {} : { tab: chosen }, replace: true })}
        tabs={[
          { id: "versions", label: kinds.prompt.tabs.versions, content: () => <Versions prompt={prompt} etag={etag ?? ""} /> },
          {
            id: "evaluations",
            label: kinds.prompt.tabs.evaluations,
            content: () => <Evaluations prompt={prompt} etag={etag ?? ""} />,
          },
          {
            id: "playground",
            label: kinds.prompt.tabs.playground,
            content: () => <Playground prompt={prompt} etag={etag ?? ""} />,
          },
          {
            id: "details",
            label: kinds.prompt.tabs.details,
            content: () => (
              <Facts
                id={prompt.id}
                of={prompt}
                facts={[
                  { term: "Description", is: <bdi>{prompt.description || "None"}</bdi> },
                  { term: "Unit ID type", is: <bdi>{prompt.idType}</bdi> },
                  { term: "Tags", is: prompt.tags.length === 0 ? "None" : prompt.tags.map((tag) => <Chip key={tag}>{tag}</Chip>) },
                  { term: "Owner", is: <bdi>{ownerText(prompt.owner) || "None"}</bdi> },
                  { term: "Team", is: <bdi>{prompt.team ?? "None"}</bdi> },
                  { term: "Target apps", is: <bdi>{prompt.targetApps.join(", ") || "All"}</bdi> },
                ]}
              />
            ),
          },
          { id: "history", label: kinds.prompt.tabs.history, content: () => <PromptHistory prompt={prompt} etag={etag ?? ""} /> },
        ]}
      />
    </Page>
  );
}

function PromptHistory({ prompt: { id, displayName }, etag }: { prompt: Schema<"Prompt">; etag: string }) {
  return (
    <HistoryTab
      read={useQuery(query("listPromptVersions", { path: { id }, query: { limit: MAX_VERSIONS } }))}
      name={displayName}
      noun="prompt"
      inWords={() => []}
      restore={(version) => ({ operationId: "restorePromptVersion", path: { id, version }, ifMatch: etag })}
      disabledReason={useRefusal()("edit_or_delete_configs")}
      onReadAgain={() => void invalidate("getPrompt", "listPrompts", "listPromptVersions", "listChanges")}
    />
  );
}
