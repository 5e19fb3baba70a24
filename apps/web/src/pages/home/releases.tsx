import { Link, useParams } from "@tanstack/react-router";
import { NextStep } from "../../releases/next-step.tsx";
import type { Release } from "../../releases/reads.ts";
import { releaseTitle } from "../../releases/release-words.ts";
import { usePhases } from "../../releases/use-phases.ts";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Section } from "../../shell/page.tsx";
import styles from "./home.module.css";

type Props = { title: string; of: readonly Release[]; search: { tab?: "waiting" } };

/** Releases with their next steps. */
export function Releases({ title, of: releases, search }: Props) {
  const { projectID } = useParams({ from: "/projects/$projectID/" });
  return (
    <Section
      title={title}
      actions={
        <Link to="/projects/$projectID/releases" params={{ projectID }} search={search}>
          All releases
        </Link>
      }
    >
      <ul className={styles.list}>
        {releases.map((release) => (
          <ReleaseRow key={release.id} release={release} />
        ))}
      </ul>
    </Section>
  );
}

function ReleaseRow({ release }: { release: Release }) {
  const phases = usePhases(release);
  return (
    <li>
      <span className={styles.name}>
        <EntityLink type="release" id={release.id} name={releaseTitle(release)} />
      </span>
      <span className={styles.soft}>{phases && <NextStep release={release} phases={phases} />}</span>
    </li>
  );
}
