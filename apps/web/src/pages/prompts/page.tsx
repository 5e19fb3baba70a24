import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { currentProjectID, invalidate, query } from "../../api.ts";
import { DetailFields } from "../../entity/detail-fields.tsx";
import { type EditProps, EntityPage } from "../../entity/entity-page.tsx";
import { Facts } from "../../entity/facts.tsx";
import { HistoryTab, MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { UseInCode } from "../../entity/use-in-code.tsx";
import { kinds } from "../../kinds/kinds.ts";
import { setFields } from "../../saving/draft-model.ts";
import { soon } from "../../ui/soon.tsx";
import { describeDraft, type PromptDraft, promptModel, type StoredPrompt, toWriteRequests } from "./prompt-draft.ts";
import { Versions } from "./versions.tsx";

const Evaluations = soon(() => import("./evaluations-tab.tsx"));
const Playground = soon(() => import("./playground-tab.tsx"));

const FROM = "/projects/$projectID/prompts/$id";

export default function PromptPage() {
  const { id } = useParams({ from: FROM });
  return <PromptView key={`${currentProjectID()} ${id}`} id={id} />;
}

function PromptView({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getPrompt", { path: { id } }));
  const stored = useMemo((): StoredPrompt => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const shown = { prompt: stored.entity, etag: stored.etag };
  return (
    <EntityPage
      noun="prompt"
      title={stored.entity.displayName}
      list={
        <Link to="/projects/$projectID/prompts" params={{ projectID }}>
          Prompts
        </Link>
      }
      stored={stored}
      model={promptModel}
      beside={<code>{id}</code>}
      write={toWriteRequests}
      inWords={describeDraft}
      reads={{ own: ["getPrompt"], others: ["listPrompts", "listPromptVersions"] }}
      actions={() => <UseInCode kind="prompt" id={id} />}
      tabs={kinds.prompt.tabs}
      content={(tab, edit, disabledReason) => {
        switch (tab) {
          case "versions":
            return <Versions {...shown} disabledReason={disabledReason} />;
          case "evaluations":
            return <Evaluations {...shown} disabledReason={disabledReason} />;
          case "playground":
            return <Playground {...shown} disabledReason={disabledReason} />;
          case "details":
            return <Details {...edit} />;
          case "history":
            return <PromptHistory stored={stored} disabledReason={disabledReason} />;
        }
      }}
    />
  );
}

function Details({ draft, onChange, disabledReason, faults }: EditProps<PromptDraft>) {
  const { entity: prompt } = draft.stored;
  return (
    <DetailFields
      fields={draft.fields}
      set={(changed) => onChange(setFields(draft, changed))}
      disabledReason={disabledReason}
      faults={faults}
    >
      <Facts
        id={prompt.id}
        of={prompt}
        facts={[
          { term: "Unit ID type", is: <bdi>{prompt.idType}</bdi> },
          { term: "Target apps", is: <bdi>{prompt.targetApps.join(", ") || "All"}</bdi> },
        ]}
      />
    </DetailFields>
  );
}

function PromptHistory({ stored: { entity: prompt, etag }, disabledReason }: { stored: StoredPrompt; disabledReason: string | undefined }) {
  const { id, displayName } = prompt;
  return (
    <HistoryTab
      read={useQuery(query("listPromptVersions", { path: { id }, query: { limit: MAX_VERSIONS } }))}
      name={displayName}
      noun="prompt"
      inWords={() => []}
      restore={(version) => ({ operationId: "restorePromptVersion", path: { id, version }, ifMatch: etag })}
      disabledReason={disabledReason}
      onReadAgain={() => void invalidate("getPrompt", "listPrompts", "listPromptVersions", "listChanges")}
    />
  );
}
