import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { currentProjectID, type Impact as ImpactOf, query, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { nameOf } from "../../entity/mentions.ts";
import { useChangeWords, useNames, useReviewedNames, useReviewTitle } from "../../entity/use-change-words.ts";
import { entityLabel } from "../../kinds/kinds.ts";
import { AffectedEnvironments } from "../../saving/affected-environments.tsx";
import { ChangeList } from "../../saving/changes.tsx";
import { Impact } from "../../saving/impact.tsx";
import { StartsRelease, withoutReleases } from "../../saving/starts-release.tsx";
import { useAccount, useBarredReviewer } from "../../session/account.ts";
import { EntityLink } from "../../shell/entity-link.tsx";
import { Page, Section } from "../../shell/page.tsx";
import { repetitionText } from "../../targeting/repetition.ts";
import { approversText, approverText, requirementText } from "../../targeting/requirement-words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { moment } from "../../ui/time-text.ts";
import { Actions } from "./actions.tsx";
import { Activity } from "./activity.tsx";
import { hasFailed, isOpen, isValidated } from "./decide.ts";
import { approvedByText, STATUSES } from "./review-words.ts";
import styles from "./reviews.module.css";
import { Rollouts } from "./rollouts.tsx";
import { Validation } from "./validation.tsx";

type Review = Schema<"Review">;

const FROM = "/projects/$projectID/reviews/$id";
const MAX_TEAMS = 1_000;

export default function ReviewPage() {
  const { id } = useParams({ from: FROM });
  return <ReviewView key={`${currentProjectID()} ${id}`} id={id} />;
}

function ReviewView({ id }: { id: string }) {
  const { projectID } = useParams({ from: FROM });
  const { data: answer } = useSuspenseQuery(query("getReview", { path: { id } }));
  const { data: review, impact } = answer;
  const { data: teams } = useQuery({
    ...query("listTeams", { query: { limit: MAX_TEAMS } }),
    enabled: review.requirements.some(({ team }) => team !== null),
  });
  const { name, tone } = STATUSES[review.status];
  return (
    <Page
      title={useReviewTitle(review)}
      above={
        <Link to="/projects/$projectID/reviews" params={{ projectID }}>
          Reviews
        </Link>
      }
      beside={<Badge tone={tone}>{name}</Badge>}
      actions={<Actions review={review} teams={teams?.data ?? []} />}
    >
      <Summary review={review} />
      <State review={review} />
      <div className={entity.columns}>
        <Changes review={review} impact={impact} />
        <Requirements review={review} />
        {review.validation && <Validation {...review.validation} />}
      </div>
      <Activity review={review} />
    </Page>
  );
}

function Summary({ review }: { review: Review }) {
  const { author, reviewers, createdTime, revision, revisedTime, reason, applyAt, repeat, entities, endedTime, status } = review;
  const names = useReviewedNames(review);
  return (
    <div className={styles.facts}>
      <span>
        Requested by <bdi>{nameOf(author)}</bdi> <Time time={createdTime} />
      </span>
      {reviewers !== undefined && (
        <span>
          Asked to review: <bdi>{reviewers.map(nameOf).join(", ")}</bdi>
        </span>
      )}
      {reason !== null && (
        <span>
          Reason: <bdi>{reason}</bdi>
        </span>
      )}
      {revision > 1 && (
        <span>
          Revision {revision}, <Time time={revisedTime} />
        </span>
      )}
      {applyAt !== null && (
        <span>
          {status === "REJECTED" || status === "CANCELED" ? "Was scheduled" : "Scheduled"} for {moment(applyAt)}
        </span>
      )}
      {repeat !== undefined && <span>Repeats: {repetitionText(repeat)}. One approval covers every occurrence.</span>}
      {endedTime !== null && (
        <span>
          Ended <Time time={endedTime} />
        </span>
      )}
      {entities.map(({ entityType, entityID }, index) => (
        <span key={`${entityType} ${entityID}`}>
          {entityLabel(entityType)} <EntityLink type={entityType} id={entityID} name={names[index] ?? entityID} />
        </span>
      ))}
    </div>
  );
}

function nextStep({ applyAt, validation }: Review): string {
  if (hasFailed(validation)) return "It can’t be published because its validation failed. Revise it to validate it again.";
  if (!isValidated(validation)) return "It can be published once the webhook has validated it.";
  return applyAt === null ? "It isn’t live until someone publishes it." : "It’s scheduled once someone publishes it.";
}

/** What has to happen next, and what has changed since the approval. */
function State({ review }: { review: Review }) {
  const { status, moved, approvals, validation } = review;
  const rejection = approvals.findLast(({ isApproved }) => !isApproved);
  return (
    <>
      {moved !== null && status === "PENDING" && (
        <Notice tone="warn" title="The change needs approval again">
          {moved}
        </Notice>
      )}
      {status === "PENDING" && <Notice>This change isn’t live yet.</Notice>}
      {status === "APPROVED" && <Notice tone={hasFailed(validation) ? "warn" : "good"}>The change is approved. {nextStep(review)}</Notice>}
      {status === "REJECTED" && rejection && (
        <Notice tone="bad" title={`Rejected by ${nameOf(rejection.reviewer)}`}>
          {rejection.note !== "" && <bdi>{rejection.note}</bdi>}
        </Notice>
      )}
    </>
  );
}

function Changes({ review, impact }: { review: Review; impact: ImpactOf | undefined }) {
  const { changes, entities } = review;
  const versionOf = ({ entityType, entityID }: (typeof changes)[number]) =>
    entities.find((one) => one.entityType === entityType && one.entityID === entityID)?.version;
  const { described, environments } = useChangeWords(
    withoutReleases(changes).map((one) => ({ ...one, version: versionOf(one) })),
    useNames(),
  );
  return (
    <Section title="Changes">
      <div className={entity.card}>
        <ChangeList entities={described.flat()} below={(of) => isOpen(review) && <Rollouts review={review} of={of} />} />
      </div>
      <AffectedEnvironments of={environments} />
      {isOpen(review) && <StartsRelease changes={changes} />}
      {isOpen(review) && (
        <section aria-label="Impact on users">
          {impact ? <Impact impact={impact} /> : <p>The impact on users can’t be estimated.</p>}
        </section>
      )}
    </Section>
  );
}

function Requirements({ review }: { review: Review }) {
  const { person } = useAccount();
  const own = useBarredReviewer();
  const { requirements, status, author } = review;
  const reader = author.id !== person.id ? "other" : own === undefined ? "author" : "barred author";
  const description = [approvedByText(review), ...(status === "PENDING" ? [approversText(requirements, reader)] : [])];
  return (
    <Section title="Required approvals" description={description.filter((text) => text !== undefined).join(" ") || undefined}>
      <div className={entity.card}>
        <ul className={styles.requirements} aria-label="Required approvals">
          {requirements.map((one) => (
            <li key={`${one.kind} ${one.name} ${approverText(one)}`}>
              <Badge tone={one.isMet ? "good" : "warn"}>{one.isMet ? "Approved" : "Waiting"}</Badge>
              <span>
                {requirementText(one)} {one.kind !== "PUBLISH" && approverText(one) !== undefined && `Approval by ${approverText(one)}.`}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </Section>
  );
}
