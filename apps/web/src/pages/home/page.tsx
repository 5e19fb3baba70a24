import { useIsFetching, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { query, type Schema } from "../../api.ts";
import { PartBoundary } from "../../entity/tab-boundary.tsx";
import { OpenAlertList } from "../../guardrails/open-alert-list.tsx";
import { useOpenGuardrailAlerts } from "../../guardrails/open-alerts.ts";
import { isToApprove } from "../../releases/offers.ts";
import type { Release } from "../../releases/reads.ts";
import { useReader } from "../../releases/release-actions.tsx";
import { useAccount, useProject } from "../../session/account.ts";
import { Page, Section } from "../../shell/page.tsx";
import { RemoveSample } from "../../shell/remove-sample.tsx";
import { useSample } from "../../shell/sample.ts";
import { useSampleHidden } from "../../shell/sample-hidden.ts";
import type { FirstChoices } from "../../start/first-steps.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { soon } from "../../ui/soon.tsx";
import { isOpen, OpenAlerts } from "./alerts.tsx";
import { ChangesByOthers, OwnLastChange } from "./changes-by-others.tsx";
import { Experiments, Row, RunningExperiments } from "./experiments.tsx";
import styles from "./home.module.css";
import { Favorites, OwnedByReader, RecentlyViewed } from "./own.tsx";
import { isToDecide } from "./recent-changes.ts";
import { Releases } from "./releases.tsx";
import {
  ALERTS,
  ANY,
  ANY_EXPERIMENT,
  NEEDED_REVIEWS,
  RELEASES,
  RUNNING,
  SHOWN,
  STALE_EXPERIMENTS,
  STALE_GATES,
  STOPPED,
} from "./requests.ts";
import { NeededReviews } from "./reviews.tsx";
import { Rollouts } from "./rollouts.tsx";

const Checks = soon(() => import("./checks.tsx"));
const FirstSteps = soon(() => import("../../start/first-steps.tsx"));

/** Tasks of the reader, events under way, and recent changes. */
export default function HomePage() {
  const { projectID } = useParams({ from: "/projects/$projectID/" });
  const { isSample } = useProject();
  const [isBannerHidden] = useSampleHidden();
  const { data: gates } = useSuspenseQuery(query("listGates", ANY));
  const { data: configs } = useSuspenseQuery(query("listDynamicConfigs", ANY));
  const { data: experiments } = useSuspenseQuery(query("listExperiments", ANY_EXPERIMENT));
  const { data: stale } = useSuspenseQuery(query("listGates", STALE_GATES));
  const { data: running } = useSuspenseQuery(query("listExperiments", RUNNING));
  const { data: stopped } = useSuspenseQuery(query("listExperiments", STOPPED));
  const { data: forgotten } = useSuspenseQuery(query("listExperiments", STALE_EXPERIMENTS));
  const { data: alerts } = useSuspenseQuery(query("listAlerts", ALERTS));
  const { data: reviews } = useSuspenseQuery(query("listReviews", NEEDED_REVIEWS));
  const { data: releases } = useSuspenseQuery(query("listReleases", RELEASES));
  const reader = useReader();
  const isNeeded = (release: Release) => isToApprove(release, reader);
  const toApprove = releases.data.filter(isNeeded).slice(0, SHOWN);
  const inProgress = releases.data.filter((release) => !isNeeded(release)).slice(0, SHOWN);
  const open = alerts.data.filter(isOpen);
  const guardrailAlerts = useOpenGuardrailAlerts();
  const forgottenIDs = new Set(forgotten.data.map(({ id }) => id));
  const toDecide = [...stopped.data, ...running.data.filter((one) => isToDecide(one, Date.now()))].filter(
    ({ id }) => !forgottenIDs.has(id),
  );
  const underWay = running.data.filter((one) => !isToDecide(one, Date.now()) && !forgottenIDs.has(one.id)).slice(0, SHOWN);
  const isEmpty = [gates, configs, experiments].every(({ pagination }) => pagination.totalItems === 0);
  // The steps stay until the reader leaves the page, even if one of them creates a gate.
  const [isNew] = useState(isEmpty && !isSample);
  const [first, setFirst] = useState<FirstChoices>({});
  const { person } = useAccount();
  const sample = useSample(isSample);
  // Only administrators may read how far it is loaded.
  const isLoaded = !isSample || !person.isAdministrator || sample?.state === "ready";
  // After a change, answers are out of date until they are read again.
  const isOutdated = useIsFetching({ predicate: ({ state }) => state.isInvalidated }) > 0;
  const needsNothing =
    isLoaded &&
    !isOutdated &&
    guardrailAlerts?.pagination.totalItems === 0 &&
    [reviews.data, toApprove, open, toDecide, stale.data, forgotten.data].every(({ length }) => length === 0);
  return (
    <Page title="Home" actions={isSample && isBannerHidden && <RemoveSample />}>
      {isNew && <FirstSteps {...first} choose={(change) => setFirst((known) => ({ ...known, ...change }))} />}
      {!isEmpty && needsNothing && <Notice tone="good">You’re all caught up.</Notice>}
      {reviews.data.length > 0 && <NeededReviews of={reviews.data} total={reviews.pagination.totalItems} />}
      {toApprove.length > 0 && <Releases title="Releases that need your approval" of={toApprove} search={{ tab: "waiting" }} />}
      {open.length > 0 && <OpenAlerts of={open} />}
      {guardrailAlerts !== undefined && guardrailAlerts.data.length > 0 && (
        <OpenAlertList
          of={guardrailAlerts.data}
          actions={
            guardrailAlerts.pagination.totalItems > guardrailAlerts.data.length && (
              <Link to="/projects/$projectID/alerts" params={{ projectID }}>
                All {guardrailAlerts.pagination.totalItems}
              </Link>
            )
          }
        />
      )}
      {toDecide.length > 0 && (
        <Section title="Ready for a decision" description="They ended, or ran as long as planned.">
          <Experiments of={toDecide} />
        </Section>
      )}
      <PartBoundary>
        <Suspense>
          <Rollouts />
        </Suspense>
      </PartBoundary>
      {inProgress.length > 0 && <Releases title="Releases in progress" of={inProgress} search={{}} />}
      {underWay.length > 0 && (
        <Section title="Running experiments">
          <RunningExperiments of={underWay} now={Date.now()} />
        </Section>
      )}
      {!isEmpty && <Checks />}
      {stale.data.length > 0 && (
        <Section
          title="Stale gates"
          description="Remove them from your code, then archive them."
          actions={
            stale.pagination.totalItems > stale.data.length && (
              <Link to="/projects/$projectID/gates" params={{ projectID }} search={{ type: "STALE" }}>
                All {stale.pagination.totalItems}
              </Link>
            )
          }
        >
          <ul className={styles.list}>
            {stale.data.map((gate) => (
              <Row
                key={gate.id}
                name={
                  <Link to="/projects/$projectID/gates/$id" params={{ projectID, id: gate.id }}>
                    <bdi>{gate.name}</bdi>
                  </Link>
                }
                state={<Badge tone="warn">{STALE_REASONS[gate.typeReason]}</Badge>}
                time={gate.lastModifiedTime}
              />
            ))}
          </ul>
        </Section>
      )}
      {forgotten.data.length > 0 && (
        <Section
          title="Stale experiments"
          description="They ended at least 30 days ago and haven’t changed since. Decide or archive them."
          actions={
            forgotten.pagination.totalItems > forgotten.data.length && (
              <Link to="/projects/$projectID/experiments" params={{ projectID }} search={{ stale: true }}>
                All {forgotten.pagination.totalItems}
              </Link>
            )
          }
        >
          <Experiments of={forgotten.data} />
        </Section>
      )}
      <div className={styles.columns}>
        <Favorites />
        <OwnedByReader />
        <RecentlyViewed />
      </div>
      <OwnLastChange />
      <ChangesByOthers />
    </Page>
  );
}

const STALE_REASONS: Record<Schema<"Gate">["typeReason"], string> = {
  NONE: "Stale",
  STALE_PROBABLY_LAUNCHED: "Passes everyone",
  STALE_PROBABLY_UNLAUNCHED: "Fails everyone",
  STALE_PROBABLY_FORGOTTEN: "Partly rolled out",
  STALE_NO_RULES: "No rules",
  STALE_PROBABLY_DEAD_CHECK: "Not checked",
  STALE_EMPTY_CHECKS: "Checks without a value",
  STALE_ALL_TRUE: "Every check passes",
  STALE_ALL_FALSE: "Every check fails",
};
