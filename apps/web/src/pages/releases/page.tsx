import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { currentProjectID, query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { Breaches } from "../../releases/breaches.tsx";
import type { Release } from "../../releases/reads.ts";
import { ReleaseActions } from "../../releases/release-actions.tsx";
import { ReleaseTimeline } from "../../releases/release-timeline.tsx";
import { actionText, releaseTitle, STATUSES, subjectOf } from "../../releases/release-words.ts";
import styles from "../../releases/timeline.module.css";
import { Soft } from "../../releases/timeline.tsx";
import { usePhases } from "../../releases/use-phases.ts";
import { ActorName } from "../../shell/actor-name.tsx";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Page, Section } from "../../shell/page.tsx";
import type { Phase } from "../../targeting/phases.ts";
import { Badge } from "../../ui/badge.tsx";
import { Loading } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";

const FROM = "/projects/$projectID/releases/$id";

export default function ReleasePage() {
  const { id } = useParams({ from: FROM });
  return <ReleaseView key={`${currentProjectID()} ${id}`} id={id} />;
}

function ReleaseView({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getRelease", { path: { id } }));
  const release = answer.data;
  const phases = usePhases(release);
  const { name, tone } = STATUSES[release.status];
  return (
    <Page
      title={releaseTitle(release)}
      above={
        <Link to="/projects/$projectID/releases" params={{ projectID }}>
          Releases
        </Link>
      }
      beside={<Badge tone={tone}>{name}</Badge>}
      actions={phases && <ReleaseActions release={release} phases={phases} />}
    >
      <Summary release={release} />
      <Breaches release={release} />
      {phases === undefined ? (
        <Loading />
      ) : (
        <div className={entity.columns}>
          <Section title="Phases" description={reachOf(release)}>
            <ReleaseTimeline release={release} phases={phases} />
          </Section>
          <Activity release={release} phases={phases} />
        </div>
      )}
    </Page>
  );
}

/** Who has the change. */
function reachOf({ status }: Release): string {
  if (status === "COMPLETED") return "Everyone has the change.";
  return status === "ABORTED" ? "No one has the change." : "Users who match a phase that has begun get the change.";
}

function Summary({ release }: { release: Release }) {
  const { description, creatorID, creatorName, createdTime, releasePipelineID } = release;
  const { noun, type, id } = subjectOf(release);
  // Without it, as after its deletion, the pipeline is known by its id.
  const { data } = useQuery(query("listReleasePipelines", { query: { limit: 1_000 } }));
  const pipeline = data?.data.find((one) => one.id === releasePipelineID);
  return (
    <div className={styles.facts}>
      <span>
        Started by <ActorName id={creatorID} name={creatorName} /> <Time time={createdTime} />
      </span>
      <span>
        Changes the {noun} <EntityLink type={type} id={id} name={id} />
      </span>
      <span>
        Release pipeline{" "}
        {pipeline === undefined ? (
          <code>{releasePipelineID}</code>
        ) : (
          <EntityLink type="release_pipeline" id={releasePipelineID} name={pipeline.name} />
        )}
      </span>
      {description !== undefined && (
        <span>
          Reason: <bdi>{description}</bdi>
        </span>
      )}
    </div>
  );
}

/** What people, keys and guardrails did to the release, the latest first. */
function Activity({ release, phases }: { release: Release; phases: readonly Phase[] }) {
  const nameOf = (phaseID: string) =>
    phases.find(({ id }) => id === phaseID)?.name ?? release.phases.find((one) => one.phaseID === phaseID)?.name ?? phaseID;
  return (
    <Section title="Activity">
      <ol className={styles.lines} aria-label="Activity">
        {release.actions.toReversed().map((action, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: actions have no identity.
          <li key={index}>
            <ActorName id={action.actorID} name={action.actorName} /> <bdi>{actionText(action, nameOf)}</bdi>{" "}
            <Soft>
              <Time time={action.timeMs} />
            </Soft>
          </li>
        ))}
      </ol>
    </Section>
  );
}
