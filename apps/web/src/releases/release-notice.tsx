import { useQuery } from "@tanstack/react-query";
import { query } from "../api.ts";
import { EntityLink } from "../shell/entity-link.tsx";
import { Notice } from "../ui/notice.tsx";
import { Breaches } from "./breaches.tsx";
import { NextStep } from "./next-step.tsx";
import { isActive } from "./reads.ts";
import { ReleaseActions } from "./release-actions.tsx";
import { currentIndex } from "./release-words.ts";
import styles from "./timeline.module.css";
import { usePhases } from "./use-phases.ts";

/** On the page of an entity: the release that its last change is in, and what the reader can do with it. */
export default function ReleaseNotice({ releaseID }: { releaseID: string }) {
  const { data } = useQuery(query("getRelease", { path: { id: releaseID } }));
  const release = data?.data;
  const phases = usePhases(release);
  if (release === undefined || phases === undefined || !isActive(release)) return null;
  const index = currentIndex(release, phases);
  const isWaiting = release.status === "WAITING_FOR_REVIEW";
  return (
    <>
      <Notice
        tone={release.status === "IN_PROGRESS" ? "info" : "warn"}
        title="The last change is being released"
        actions={<EntityLink type="release" id={releaseID} name="View release" />}
      >
        <p>
          Phase {index + 1} of {phases.length}, “<bdi>{release.currentPhase}</bdi>”{isWaiting ? ", hasn’t begun. " : ". "}
          {isWaiting && index === 0
            ? "No one gets the change yet."
            : `Only users who match ${isWaiting ? "an earlier phase" : "a phase that has begun"} get the change.`}
        </p>
        <p>
          <NextStep release={release} phases={phases} />
        </p>
        <div className={styles.actions}>
          <ReleaseActions release={release} phases={phases} />
        </div>
      </Notice>
      <Breaches release={release} />
    </>
  );
}
