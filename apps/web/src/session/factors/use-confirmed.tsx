import { type ReactNode, useState } from "react";
import { invalidate, type Schema } from "../../api.ts";
import { soonDialog } from "../../ui/soon.tsx";

const ConfirmDialog = soonDialog(() => import("./confirm.tsx"));

/** A margin, so that an allowed change is still allowed when its request arrives. In ms. */
const MARGIN_MS = 5_000;

/** Runs changes of second factors after the person has confirmed that it is them. `dialog` asks for the confirmation. */
export function useConfirmed(factors: Schema<"SecondFactors">): { run: (action: () => void) => void; dialog: ReactNode } {
  const [waiting, setWaiting] = useState<{ action: () => void }>();
  const isConfirmed = () => factors.confirmedUntil !== null && factors.confirmedUntil > Date.now() + MARGIN_MS;
  const onConfirmed = () => {
    setWaiting(undefined);
    waiting?.action();
    void invalidate("getSecondFactors");
  };
  return {
    run: (action) => (isConfirmed() ? action() : setWaiting({ action })),
    dialog: waiting && <ConfirmDialog onConfirmed={onConfirmed} onClose={() => setWaiting(undefined)} />,
  };
}
