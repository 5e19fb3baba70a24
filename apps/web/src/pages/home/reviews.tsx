import { Link, useParams } from "@tanstack/react-router";
import type { Schema } from "../../api.ts";
import { useReviewTitle } from "../../entity/use-change-words.ts";
import { Section } from "../../shell/page.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./home.module.css";

/** Changes that the reader can approve. @param total how many there are, listed or not */
export function NeededReviews({ of: reviews, total }: { of: readonly Schema<"Review">[]; total: number }) {
  const { projectID } = useParams({ from: "/projects/$projectID/" });
  return (
    <Section
      title="Needs your review"
      actions={
        <Link to="/projects/$projectID/reviews" params={{ projectID }}>
          {total > reviews.length ? `All ${total}` : "All reviews"}
        </Link>
      }
    >
      <ul className={styles.list}>
        {reviews.map((review) => (
          <NeededReview key={review.id} review={review} projectID={projectID} />
        ))}
      </ul>
    </Section>
  );
}

function NeededReview({ review, projectID }: { review: Schema<"Review">; projectID: string }) {
  const { id, author, createdTime, reason } = review;
  return (
    <li>
      <span className={styles.name}>
        <Link to="/projects/$projectID/reviews/$id" params={{ projectID, id }}>
          <bdi>{useReviewTitle(review)}</bdi>
        </Link>
        {reason !== null && <span className={styles.reason}>{reason}</span>}
      </span>
      <span className={styles.soft}>
        <bdi>{author.name || author.email || author.id}</bdi>, <Time time={createdTime} />
      </span>
    </li>
  );
}
