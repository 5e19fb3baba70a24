import { useState } from "react";
import { Form } from "react-aria-components";
import { call, invalidate, type Schema } from "../../api.ts";
import { CommentField, CommentText, type Mentioned } from "../../entity/comment-field.tsx";
import { namedIn } from "../../entity/mentions.ts";
import { explain } from "../../explain.ts";
import { Section } from "../../shell/page.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { reviewerName } from "./review-words.ts";
import styles from "./reviews.module.css";

type Review = Schema<"Review">;

const MAX_COMMENT = 2_000;

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
                  <bdi>{reviewerName(entry.person)}</bdi>{" "}
                  {entry.isApproved === undefined ? "commented" : entry.isApproved ? "approved" : "rejected"}
                  {entry.revision !== undefined && entry.revision !== revision && ` revision ${entry.revision},`} <Time time={entry.time} />
                </span>
                {entry.isApproved !== undefined && (
                  <Badge tone={entry.isApproved ? "good" : "bad"}>{entry.isApproved ? "Approval" : "Rejection"}</Badge>
                )}
              </p>
              {entry.text !== "" && (
                <p className={styles.note}>
                  <bdi>
                    <CommentText text={entry.text} mentions={entry.mentions} />
                  </bdi>
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
      <NewComment id={id} />
    </Section>
  );
}

function NewComment({ id }: { id: string }) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<readonly Mentioned[]>([]);
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const send = async () => {
    setPending(true);
    setError(undefined);
    try {
      const mentions = [...new Set(namedIn(text, chosen).map((person) => person.id))];
      await call("commentOnReview", { path: { id }, body: { text: text.trim(), ...(mentions.length > 0 && { mentions }) } });
      setText("");
      setChosen([]);
      await invalidate("getReview", "listReviews");
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  return (
    <Form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <CommentField value={text} onChange={setText} onMention={(person) => setChosen([...chosen, person])} maxLength={MAX_COMMENT} />
      {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
      <div>
        <Button type="submit" isPending={isPending} disabledReason={text.trim() === "" ? "Enter a comment first." : undefined}>
          Add comment
        </Button>
      </div>
    </Form>
  );
}
