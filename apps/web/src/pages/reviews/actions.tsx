import { useState } from "react";
import type { Schema } from "../../api.ts";
import { useAccount, useProject } from "../../session/account.ts";
import { Button, type ButtonProps } from "../../ui/button.tsx";
import { approving, asking, canceling, type Offer, publishing, rejecting, revising } from "./decide.ts";
import { AskReviewers, Cancel, Decide, Publish, Revise } from "./dialogs.tsx";

type Step = "approve" | "reject" | "publish" | "cancel" | "revise" | "ask";

/** What the reader can do with the review. */
export function Actions({ review, teams }: { review: Schema<"Review">; teams: Parameters<typeof approving>[2] }) {
  const { person } = useAccount();
  const { permissions, publishesIn } = useProject();
  const [step, setStep] = useState<Step>();
  const reader = { id: person.id, email: person.email, permissions, publishesIn };
  const close = () => setStep(undefined);
  const button = (id: Step, label: string, offer: Offer, look: ButtonProps["look"] = "default") =>
    offer !== "absent" && (
      <Button look={look} disabledReason={offer.disabledReason} onPress={() => setStep(id)}>
        {label}
      </Button>
    );
  const shown = { review, onClose: close };
  return (
    <>
      {button("cancel", "Cancel review", canceling(review, reader))}
      {button("revise", "Revise", revising(review, reader))}
      {button("ask", "Ask reviewers", asking(review, reader))}
      {button("reject", "Reject", rejecting(review, reader, teams))}
      {button("approve", "Approve", approving(review, reader, teams), "primary")}
      {button("publish", "Publish", publishing(review, reader), review.status === "APPROVED" ? "primary" : "default")}
      {(step === "approve" || step === "reject") && <Decide {...shown} isApproval={step === "approve"} />}
      {step === "publish" && <Publish {...shown} />}
      {step === "cancel" && <Cancel {...shown} />}
      {step === "ask" && <AskReviewers {...shown} />}
      {step === "revise" && <Revise {...shown} />}
    </>
  );
}
