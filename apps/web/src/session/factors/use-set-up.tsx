import { type ReactNode, useState } from "react";
import { invalidate, type Schema } from "../../api.ts";
import { soonDialog } from "../../ui/soon.tsx";
import { useConfirmed } from "./use-confirmed.tsx";

const AuthenticatorAppDialog = soonDialog(() => import("./authenticator-app.tsx"));
const NewPasskeyDialog = soonDialog(() => import("./new-passkey.tsx"));
const RecoveryCodesDialog = soonDialog(() => import("./recovery-codes.tsx"));

type Step = "app" | "passkey" | "codes";

/** The dialogs that add second factors. After the first factor, recovery codes follow. @param onDone called when the last dialog closes */
export function useSetUp(factors: Schema<"SecondFactors">, onDone?: () => void) {
  const [step, setStep] = useState<Step>();
  const { run, dialog: confirmation } = useConfirmed(factors);
  const finish = () => {
    setStep(undefined);
    void invalidate("getSecondFactors", "listSessions");
    onDone?.();
  };
  const onAdded = () => (factors.recoveryCodes === 0 ? setStep("codes") : finish());
  const close = () => setStep(undefined);
  const dialogs: Record<Step, ReactNode> = {
    app: <AuthenticatorAppDialog onDone={onAdded} onClose={close} />,
    passkey: <NewPasskeyDialog onDone={onAdded} onClose={close} />,
    codes: <RecoveryCodesDialog onClose={finish} />,
  };
  return { open: (next: Step) => run(() => setStep(next)), run, dialog: confirmation ?? (step && dialogs[step]) };
}
