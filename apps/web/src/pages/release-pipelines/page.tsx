import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { currentProjectID, invalidate, query } from "../../api.ts";
import { EntityPage } from "../../entity/entity-page.tsx";
import { EntitySteps } from "../../entity/entity-steps.tsx";
import { HistoryTab, MAX_VERSIONS } from "../../entity/history-tab.tsx";
import { UsedByTab } from "../../entity/used-by-tab.tsx";
import { kinds } from "../../kinds/kinds.ts";
import { activeReleasesOf, type Release } from "../../releases/reads.ts";
import { ReleaseList } from "../../releases/release-list.tsx";
import { releaseTitle } from "../../releases/release-words.ts";
import { useRefusal } from "../../session/account.ts";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Section } from "../../shell/page.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { PhasesTab } from "./phases-tab.tsx";
import { describeDraft, describeVersions, findFaults, pipelineModel, type StoredPipeline, toWriteRequests } from "./pipeline-draft.ts";

const FROM = "/projects/$projectID/release-pipelines/$id";
const LOCKED = "You can’t change this release pipeline while releases are in progress.";

export default function ReleasePipelinePage() {
  const { id } = useParams({ from: FROM });
  return <ReleasePipelineView key={`${currentProjectID()} ${id}`} id={id} />;
}

function ReleasePipelineView({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getReleasePipeline", { path: { id } }));
  const { data: active } = useSuspenseQuery(query("listReleases", activeReleasesOf(id)));
  const stored = useMemo((): StoredPipeline => ({ entity: answer.data, etag: answer.etag ?? "" }), [answer]);
  const lockedReason = active.data.length > 0 ? LOCKED : undefined;
  return (
    <EntityPage
      noun="release pipeline"
      list={
        <Link to="/projects/$projectID/release-pipelines" params={{ projectID }}>
          Release pipelines
        </Link>
      }
      stored={stored}
      model={pipelineModel}
      permission="create_release_pipelines"
      lockedReason={lockedReason}
      notices={active.data.length > 0 && <InProgress releases={active.data} />}
      findFaults={findFaults}
      write={toWriteRequests}
      inWords={describeDraft}
      reads={{ own: ["getReleasePipeline"], others: ["listReleasePipelines", "listReleasePipelineVersions"] }}
      actions={({ count }) => <PipelineSteps stored={stored} hasDraft={count > 0} lockedReason={lockedReason} />}
      tabs={kinds.release_pipeline.tabs}
      content={(tab, shared, restoreReason) => {
        switch (tab) {
          case "phases":
            return <PhasesTab {...shared} />;
          case "releases":
            return <Releases id={id} />;
          case "history":
            return <PipelineHistory stored={stored} disabledReason={restoreReason} />;
          case "used-by":
            return (
              <UsedByTab type="release_pipeline" id={id} noun="release pipeline">
                Gates and dynamic configs that use this pipeline are listed here.
              </UsedByTab>
            );
        }
      }}
    />
  );
}

/** Says why the pipeline can't be changed, with links to what is in progress. */
function InProgress({ releases }: { releases: readonly Release[] }) {
  return (
    <Notice title={LOCKED}>
      <span>
        Complete or abort them first:{" "}
        {releases.map((release, index) => (
          <span key={release.id}>
            {index > 0 && ", "}
            <EntityLink type="release" id={release.id} name={releaseTitle(release)} />
          </span>
        ))}
      </span>
    </Notice>
  );
}

const LISTED = 50;

/** The latest releases of the pipeline. */
function Releases({ id }: { id: string }) {
  const { data } = useQuery(query("listReleases", { query: { releasePipelineID: id, limit: LISTED } }));
  if (data === undefined) return <Loading />;
  return (
    <Section title="Releases" description={`The latest releases through this pipeline, up to ${LISTED}.`}>
      {data.data.length === 0 ? (
        <Empty title="No releases yet">
          In the details of a gate or dynamic config, choose this pipeline. The next change to its rules or default value starts a release.
        </Empty>
      ) : (
        <ReleaseList releases={data.data} />
      )}
    </Section>
  );
}

type StepsProps = { stored: StoredPipeline; hasDraft: boolean; lockedReason: string | undefined };

function PipelineSteps({ stored: { entity, etag }, hasDraft, lockedReason }: StepsProps) {
  const navigate = useNavigate({ from: FROM });
  const refusal = useRefusal()("create_release_pipelines");
  const { id, name } = entity;
  return (
    <EntitySteps
      name={name}
      hasDraft={hasDraft}
      steps={[
        {
          id: "delete",
          label: "Delete",
          request: { operationId: "deleteReleasePipeline", path: { id }, ifMatch: etag },
          about: (
            <p>
              Changes to gates and dynamic configs that use it will reach everyone at once. In environments that require a release pipeline,
              they can’t be changed until they have another one.
            </p>
          ),
          canForce: true,
          done: "is deleted",
          isRestorable: true,
          disabledReason: refusal ?? lockedReason,
          isDangerous: true,
        },
      ]}
      onConflict={() => void invalidate("getReleasePipeline")}
      onDone={async () => {
        await navigate({ to: "/projects/$projectID/release-pipelines" });
        await invalidate("listReleasePipelines", "listChanges");
      }}
    />
  );
}

type HistoryProps = { stored: StoredPipeline; disabledReason: string | undefined };

function PipelineHistory({ stored: { entity, etag }, disabledReason }: HistoryProps) {
  const { id, name } = entity;
  return (
    <HistoryTab
      read={useQuery(query("listReleasePipelineVersions", { path: { id }, query: { limit: MAX_VERSIONS } }))}
      name={name}
      noun="release pipeline"
      inWords={(_, before, after) => describeVersions(before, after)}
      restore={(version) => ({ operationId: "restoreReleasePipelineVersion", path: { id, version }, ifMatch: etag })}
      disabledReason={disabledReason}
      onReadAgain={() =>
        void invalidate("getReleasePipeline", "listReleasePipelines", "listReleasePipelineVersions", "listChanges", "listReferences")
      }
    />
  );
}
