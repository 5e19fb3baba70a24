import { call, invalidate, type Schema } from "../../api.ts";
import { CommentForm } from "../../entity/comment-form.tsx";
import { CommentText } from "../../entity/comment-text.tsx";
import { nameOf } from "../../entity/mentions.ts";
import { Section } from "../../shell/page.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./reviews.module.css";

type Review = Schema<"Review">;

/** The approvals and comments in their order, and a new comment. */
export function Activity({ review: { id, approvals, comments, revision } }: { review: Review }) {
  const entries = [
    ...approvals.map((one) => ({ ...one, person: one.reviewer, text: one.note, mentions: undefined })),
    ...comments.map((one) => ({ ...one, person: one.author, revision: undefined, isApproved: undefined })),
  ].toSorted((a, b) => a.time - b.time);
  return (
    <Section title="Discussion">
      {entries.length > 0 && (
        <ol className={styles.activity} aria-label="Discussion">
          {entries.map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries are only added.
            <li key={index} className={styles.item}>
              <p className={styles.facts}>
                <span>
                  <bdi>{nameOf(entry.person)}</bdi>{" "}
                  {entry.isApproved === undefined ? "commented" : entry.isApproved ? "approved" : "rejected"}
                  {entry.revision !== undefined && entry.revision !== revision && ` revision ${entry.revision},`} <Time time={entry.time} />
                </span>
                {entry.isApproved !== undefined && (
                  <Badge tone={entry.isApproved ? "good" : "bad"}>{entry.isApproved ? "Approval" : "Rejection"}</Badge>
                )}
              </p>
              {entry.text !== "" && <CommentText text={entry.text} mentions={entry.mentions} />}
            </li>
          ))}
        </ol>
      )}
      <CommentForm
        action="Add comment"
        send={async (body) => {
          await call("commentOnReview", { path: { id }, body });
          await invalidate("getReview", "listReviews");
        }}
      />
    </Section>
  );
}
