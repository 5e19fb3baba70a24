import { type ComponentProps, useState } from "react";
import { call, invalidate, queryClient, type Schema } from "../../api.ts";
import { nameOf } from "../../entity/mentions.ts";
import { useAccount, useBarredReviewer } from "../../session/account.ts";
import { type Reviewer, ReviewersField, reviewersFault } from "../../session/reviewers-field.tsx";
import { Confirm } from "../../shell/confirm.tsx";
import { approversText } from "../../targeting/requirement-words.ts";
import { TextField } from "../../ui/field.tsx";
import { moment } from "../../ui/time-text.ts";

type Review = Schema<"Review">;
type Props = { review: Review; onClose: () => void };

const MAX_NOTE = 2_000;

/** Approves the revision that the reader has seen, or rejects the review. */
export function Decide({ review, isApproval, onClose }: Props & { isApproval: boolean }) {
  const { id } = review;
  // The page may show a later revision by now, which the reader has not seen.
  const [revision] = useState(review.revision);
  const [note, setNote] = useState("");
  const request = { path: { id }, body: { revision, ...(note.trim() !== "" && { note: note.trim() }) } };
  return (
    <ReviewStep
      title={isApproval ? "Approve change?" : "Reject change?"}
      label={isApproval ? "Approve" : "Reject"}
      isDangerous={!isApproval}
      done={isApproval ? "Change approved" : "Change rejected"}
      act={() => (isApproval ? call("approveReview", request) : call("rejectReview", request))}
      onClose={onClose}
    >
      <p>
        {isApproval
          ? "Once it has every approval and any validation has passed, the change can be published."
          : "This ends the review, and the change won’t be applied."}
      </p>
      <TextField
        label={isApproval ? "Note (optional)" : "Note for the author (optional)"}
        value={note}
        onChange={setNote}
        maxLength={MAX_NOTE}
        rows={3}
      />
    </ReviewStep>
  );
}

/** Makes the approved change, or schedules it. */
export function Publish({ review: { id, applyAt, author }, onClose }: Props) {
  const { person } = useAccount();
  const isLater = applyAt !== null && applyAt > Date.now();
  return (
    <ReviewStep
      title="Publish change?"
      label={isLater ? "Schedule" : "Publish"}
      done={isLater ? "Change scheduled" : "Change published"}
      act={async () => {
        await call("commitReview", { path: { id } });
        await queryClient.invalidateQueries();
      }}
      onClose={onClose}
    >
      <p>
        {isLater ? `It’s applied at ${moment(applyAt)}` : "It takes effect now"}
        {author.id !== person.id && (
          <>
            , on behalf of <bdi>{nameOf(author)}</bdi>
          </>
        )}
        .
      </p>
    </ReviewStep>
  );
}

/** Withdraws the change. */
export function Cancel({ review: { id }, onClose }: Props) {
  return (
    <ReviewStep
      title="Cancel review?"
      label="Cancel review"
      backLabel="Keep review"
      isDangerous
      done="Review canceled"
      act={() => call("cancelReview", { path: { id } })}
      onClose={onClose}
    >
      <p>The change won’t be applied. Its author can request it again.</p>
    </ReviewStep>
  );
}

/** Replaces the content of the request, which then needs new approvals. */
export function Revise({ review: { id, body }, onClose }: Props) {
  const [text, setText] = useState(() => JSON.stringify(body, undefined, 2));
  const parsed = parse(text);
  return (
    <ReviewStep
      title="Revise change"
      label="Save revision"
      done="Change revised"
      disabledReason={parsed === undefined ? "Fix the request first." : undefined}
      act={() => call("updateReview", { path: { id }, body: { body: parsed?.value } } as never)}
      onClose={onClose}
    >
      <p>The new revision needs approval again. Comments stay.</p>
      <TextField
        label="Request"
        description="The body of the API request, as JSON."
        isCode
        value={text}
        onChange={setText}
        rows={14}
        error={parsed === undefined ? "Enter valid JSON." : undefined}
      />
    </ReviewStep>
  );
}

/** Asks certain people to review the change, or anyone who can. */
export function AskReviewers({ review: { id, reviewers = [], requirements }, onClose }: Props) {
  const [chosen, setChosen] = useState<Reviewer[]>(() => reviewers.map((one) => ({ ...one, email: one.email ?? "" })));
  const [fault, setFault] = useState<string>();
  const own = useBarredReviewer();
  const ask = async () => {
    try {
      await call("updateReview", { path: { id }, body: { reviewers: chosen.map((one) => one.id) } });
    } catch (error) {
      setFault(reviewersFault(error));
      throw error;
    }
  };
  return (
    <ReviewStep title="Ask reviewers" label="Save" done="Reviewers saved" act={ask} onClose={onClose}>
      <p>{approversText(requirements, own === undefined ? "author" : "barred author")}</p>
      <ReviewersField
        label="Ask a reviewer"
        value={chosen}
        onChange={(people) => {
          setChosen(people);
          setFault(undefined);
        }}
        except={own}
        acceptsEmail
        error={fault}
        description="Anyone else who can approve this change can still do so. If you choose no one, it waits for everyone who can approve it."
      />
    </ReviewStep>
  );
}

function parse(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const readReview = () => invalidate("getReview", "listReviews", "listChanges");

const ReviewStep = (props: Omit<ComponentProps<typeof Confirm>, "onSettled">) => <Confirm {...props} onSettled={readReview} />;
