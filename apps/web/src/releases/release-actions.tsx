import { ChevronDown } from "lucide-react";
import { Suspense, useState } from "react";
import { useAccount, useProject, useRefusal } from "../session/account.ts";
import type { Phase } from "../targeting/phases.ts";
import { Button, type ButtonProps } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
import { soonDialog } from "../ui/soon.tsx";
import { aborting, approving, completing, type Offer, pausing, type Reader, resuming, skipping } from "./offers.ts";
import { isActive, type Release } from "./reads.ts";
import type { Step } from "./release-dialogs.tsx";

const ReleaseDialog = soonDialog(() => import("./release-dialogs.tsx"));

/** The reader, as far as it decides what they can do with releases. */
export function useReader(): Reader {
  const { person } = useAccount();
  const { permissions } = useProject();
  return { id: person.id, mayApproveOwn: permissions.self_approve_review === true, refusal: useRefusal() };
}

type Props = { release: Release; phases: readonly Phase[] };

/** What the reader can do with a release. Absent once it has ended. */
export function ReleaseActions({ release, phases }: Props) {
  const reader = useReader();
  const [step, setStep] = useState<Step>();
  const button = (id: Exclude<Step, object>, label: string, offer: Offer, look: ButtonProps["look"] = "default") =>
    offer !== "absent" && (
      <Button look={look} disabledReason={offer.disabledReason} onPress={() => setStep(id)}>
        {label}
      </Button>
    );
  const skips = skipping(release, phases, reader);
  return (
    <>
      {isActive(release) && (
        <>
          {button("abort", "Abort", aborting(reader))}
          {button("pause", "Pause", pausing(release, reader))}
          {button("resume", "Resume", resuming(release, reader), "primary")}
          {skips.length > 0 && (
            <Menu
              label="Skip to"
              trigger={
                <Button>
                  Skip to… <ChevronDown aria-hidden="true" />
                </Button>
              }
              actions={skips.map(({ phase, disabledReason }) => ({
                id: phase.id,
                label: phase.name,
                disabledReason,
                onAction: () => setStep({ skipTo: phase }),
              }))}
            />
          )}
          {button("complete", "Complete", completing(release, phases, reader))}
          {button("approve", "Approve", approving(release, reader), "primary")}
        </>
      )}
      <Suspense>
        {step !== undefined && <ReleaseDialog step={step} release={release} phases={phases} onClose={() => setStep(undefined)} />}
      </Suspense>
    </>
  );
}
