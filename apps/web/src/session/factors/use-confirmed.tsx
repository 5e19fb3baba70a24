import { type ReactNode, useState } from "react";
import { invalidate, type Schema } from "../../api.ts";
import { soon } from "../../ui/soon.tsx";

const ConfirmDialog = soon(() => import("./confirm.tsx"));

/** Some time, so that what is allowed now is still allowed when it is sent. In ms. */
const MARGIN_MS = 5_000;

/** Runs what changes second factors, after the person has confirmed that it is them. `dialog` asks for that. */
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
