import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  ConsoleApiError,
  invalidate,
  isRepeatable,
  isSchedulable,
  preview,
  ReviewRequiredError,
  save,
  schedule,
  type Write,
} from "../api.ts";
import { explain, plainly } from "../explain.ts";
import { useBarredReviewer, useMayBypass } from "../session/account.ts";
import { type Reviewer, ReviewersField, reviewersFault } from "../session/reviewers-field.tsx";
import { fieldName } from "../targeting/field-words.ts";
import { withMissingChanges } from "../targeting/missing-changes.ts";
import { isUnpublished, reviewAsked } from "../targeting/requirement-words.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Loading, Notice } from "../ui/notice.tsx";
import { moment } from "../ui/time-text.ts";
import { toast } from "../ui/toast.tsx";
import { useUnreadReason } from "../ui/unread.ts";
import { AffectedEnvironments, affectsNobody } from "./affected-environments.tsx";
import { ApiCall } from "./api-call.tsx";
import { ChangeList } from "./changes.tsx";
import { Impact } from "./impact.tsx";
import { NeedsReview } from "./needs-review.tsx";
import { ReasonField } from "./reason-field.tsx";
import type { ReviewProps } from "./review.tsx";
import { StartsRelease, withoutReleases } from "./starts-release.tsx";
import { useTiming, type When, WhenField } from "./when-field.tsx";

/** How many users seen lately are compared. */
const IMPACT_USERS = 1_000;

const isStale = (error: unknown): boolean => error instanceof ConsoleApiError && error.status === 412;

/** The fields in which some requests tell their reason. */
const OWN_REASONS = ["archiveReason", "unarchiveReason", "decisionReason"];

const hasOwnReason = (request: Write[number]): boolean => "body" in request && OWN_REASONS.some((field) => field in (request.body ?? {}));

/** The effect of a save, from a dry run of the same requests. Only the reviewed change is stored: the requests name the versions they change. */
export default function ReviewDialog({
  title,
  write,
  shown = write,
  inWords,
  environments,
  isTargeting = true,
  children,
  choices,
  saveLabel = "Save",
  disabledReason,
  onClose,
  onSaved,
  onScheduled,
  onRequested = onScheduled ?? onClose,
  onConflict,
  conflictLabel = "Reload",
  onRefused,
}: ReviewProps) {
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const [reason, setReason] = useState("");
  const [when, setWhen] = useState<When>();
  // The change needs no review, and the reader is asking for one.
  const [isAsking, setAsking] = useState(false);
  const [reviewers, setReviewers] = useState<Reviewer[]>([]);
  const { timing, faults } = useTiming(when);
  // Each review checks again, and once.
  const options = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 };
  // A write in progress is not checked again: the versions that it names are then old.
  const check = useQuery({ queryKey: ["review", write], queryFn: () => preview(write, undefined), enabled: !isPending, ...options });
  const effect = useQuery({
    queryKey: ["review", write, IMPACT_USERS],
    queryFn: () => preview(write, IMPACT_USERS),
    enabled: isTargeting && check.isSuccess && !isPending,
    ...options,
  });
  const own = useBarredReviewer();
  const unread = useUnreadReason();
  const fault = error ?? check.error ?? undefined;
  const unaskable = reviewersFault(fault);
  const requirements = check.data?.requirements ?? [];
  const needsReview = requirements.length > 0;
  const mayBypass = useMayBypass() && needsReview && !isUnpublished(requirements) && timing === undefined;
  const isStorable = onScheduled !== undefined && isSchedulable(write);
  const isForReview = needsReview || isAsking;
  const review = isAsking || (needsReview && reviewers.length > 0) ? { reviewers } : reviewAsked(requirements).review;
  const store = async ({ bypassReview = false } = {}) => {
    setPending(true);
    setError(undefined);
    try {
      if (timing === undefined) await onSaved(await save(write, reason.trim(), bypassReview ? { bypassReview } : { review }));
      else {
        await schedule(write, timing, reason.trim(), review);
        void invalidate("listScheduledChanges");
        toast({ text: `Scheduled for ${moment(timing.applyAt)}` });
        onScheduled?.();
      }
    } catch (thrown) {
      // The page's other parts tell the reader which review has the change now.
      if (thrown instanceof ReviewRequiredError) onRequested();
      else setError(thrown);
    } finally {
      setPending(false);
    }
  };
  const showPlace = () => {
    if (fault instanceof ConsoleApiError) onRefused?.(fault);
    onClose();
  };
  const shownChanges = check.data ? withoutReleases(check.data.changes) : [];
  const described = check.data ? withMissingChanges(inWords(shownChanges), shownChanges) : [];
  const affected = typeof environments === "function" ? environments(shownChanges) : environments === undefined ? [] : [environments];
  const unsavable =
    disabledReason ??
    unread ??
    faults.time ??
    faults.repeat ??
    (check.isSuccess ? (described.length === 0 ? "No changes to save." : undefined) : "Still checking your changes.");
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      width="wide"
      actions={
        <>
          <Button onPress={isAsking ? () => setAsking(false) : onClose}>Back</Button>
          {isStale(fault) ? (
            <Button look="primary" onPress={onConflict}>
              {conflictLabel}
            </Button>
          ) : fault instanceof ConsoleApiError && fault.errors.length > 0 && unaskable === undefined ? (
            <Button look="primary" onPress={showPlace}>
              Show where
            </Button>
          ) : (
            <>
              {mayBypass && (
                <Button
                  isPending={isPending}
                  onPress={() => store({ bypassReview: true })}
                  disabledReason={unsavable ?? (reason.trim() === "" ? "Enter a reason first." : undefined)}
                >
                  {saveLabel} without review
                </Button>
              )}
              {isStorable && check.isSuccess && !isForReview && (
                <Button onPress={() => setAsking(true)} disabledReason={unsavable}>
                  Request review
                </Button>
              )}
              <Button look="primary" isPending={isPending} onPress={() => store()} disabledReason={unsavable}>
                {isForReview ? "Request review" : timing === undefined ? saveLabel : "Schedule"}
              </Button>
            </>
          )}
        </>
      }
    >
      {fault !== undefined && unaskable === undefined && (
        <Notice
          tone="bad"
          title={isStale(fault) ? "There are newer changes" : `Couldn’t ${timing === undefined ? "save" : "schedule"} your changes`}
        >
          {!isStale(fault) && <Refusal error={fault} />}
        </Notice>
      )}
      {check.isPending && <Loading label="Checking your changes" />}
      {check.isSuccess && (
        <>
          <ChangeList entities={described} />
          <StartsRelease changes={check.data.changes} />
          {isForReview && <NeedsReview requirements={isAsking ? [] : requirements} isScheduled={timing !== undefined} />}
          <AffectedEnvironments of={affected} />
          {isTargeting && !affectsNobody(affected) && (
            <section aria-label="Impact on users">
              {effect.isPending && <Loading label="Estimating the impact" />}
              {effect.isError && <Notice>Couldn’t estimate the impact on users: {explain(effect.error)}</Notice>}
              {effect.data?.impact && <Impact impact={effect.data.impact} />}
            </section>
          )}
          {children}
        </>
      )}
      {choices}
      {isStorable && (
        <WhenField value={when} onChange={setWhen} faults={faults} isRepeatable={isRepeatable(write)} isForReview={isForReview} />
      )}
      {isForReview && isStorable && (
        <ReviewersField
          label="Ask a reviewer (optional)"
          value={reviewers}
          onChange={(people) => {
            setReviewers(people);
            if (unaskable !== undefined) setError(undefined);
          }}
          except={own}
          acceptsEmail
          error={unaskable}
          description="Anyone else who can approve this change can still do so."
        />
      )}
      {(mayBypass || !write.some(hasOwnReason)) && <ReasonField value={reason} onChange={setReason} />}
      <ApiCall write={shown} timing={timing} />
    </Dialog>
  );
}

/** What a schema says of a value is a technical term. Other words of the server stay as they are. */
const inWords = (message: string): string => (message.endsWith("(schema)") ? plainly(message) : message);

function Refusal({ error }: { error: unknown }) {
  const said = explain(error);
  const errors = (error instanceof ConsoleApiError ? error.errors : []).filter(({ errorMessage }) => plainly(errorMessage) !== said);
  return (
    <>
      <span>{said}</span>
      <ul>
        {errors.map(({ property, errorMessage }) => (
          <li key={`${property} ${errorMessage}`}>
            {fieldName(property.replace(/^requests\[\d+\]\.(body\.)?/, ""))}: {inWords(errorMessage)}
          </li>
        ))}
      </ul>
    </>
  );
}
