import entity from "../entity/entity.module.css";
import { ActorName } from "../shell/actor-name.tsx";
import { EntityLink } from "../shell/entity-link.tsx";
import { Badge } from "../ui/badge.tsx";
import { Time } from "../ui/time.tsx";
import { NextStep } from "./next-step.tsx";
import type { Release } from "./reads.ts";
import { releaseTitle, STATUSES } from "./release-words.ts";
import styles from "./timeline.module.css";
import { usePhases } from "./use-phases.ts";

/** Releases, each with its status and its next step. */
export function ReleaseList({ releases }: { releases: readonly Release[] }) {
  return (
    <ol className={styles.list} aria-label="Releases">
      {releases.map((release) => (
        <ReleaseItem key={release.id} release={release} />
      ))}
    </ol>
  );
}

function ReleaseItem({ release }: { release: Release }) {
  const { id, status, description, creatorID, creatorName, createdTime, endedTime } = release;
  const { name, tone } = STATUSES[status];
  const phases = usePhases(release);
  return (
    <li className={entity.card} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>
          <EntityLink type="release" id={id} name={releaseTitle(release)} />
        </h2>
        <Badge tone={tone}>{name}</Badge>
      </div>
      {phases !== undefined && <NextStep release={release} phases={phases} />}
      {description !== undefined && (
        <p>
          <bdi>{description}</bdi>
        </p>
      )}
      <p className={styles.soft}>
        Started by <ActorName id={creatorID} name={creatorName} /> <Time time={createdTime} />
        {endedTime !== null && (
          <>
            , ended <Time time={endedTime} />
          </>
        )}
      </p>
    </li>
  );
}
