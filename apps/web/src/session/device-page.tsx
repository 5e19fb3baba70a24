import { useEffect, useRef, useState } from "react";
import type { Schema } from "../api.ts";
import { DeviceApproval } from "./device-approval.tsx";
import { DeviceCodeForm } from "./device-code-form.tsx";
import { SessionFrame } from "./frame.tsx";
import styles from "./session.module.css";

type Step =
  | { title: "Log in a device" }
  | { title: "Approve this login?"; login: Schema<"DeviceLogin"> }
  | { title: "Login approved" }
  | { title: "Login denied" };

/** Lets a person approve the login of a program that shows a code. The code is always typed: a link that has one could come from anybody. */
export default function DevicePage() {
  const [step, setStep] = useState<Step>({ title: "Log in a device" });
  const content = useRef<HTMLDivElement>(null);
  const { title } = step;
  useEffect(() => {
    // Each further step replaces the button that had the focus.
    if (title !== "Log in a device") content.current?.focus();
  }, [title]);
  return (
    <SessionFrame title={title}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would name its fields after the step. */}
      <div className={styles.form} ref={content} tabIndex={-1} role="group" aria-label={title}>
        {title === "Log in a device" && <DeviceCodeForm onFound={(login) => setStep({ title: "Approve this login?", login })} />}
        {"login" in step && (
          <DeviceApproval login={step.login} onEnd={(isApproved) => setStep({ title: isApproved ? "Login approved" : "Login denied" })} />
        )}
        {title === "Login approved" && <p>Return to your terminal. You can close this page.</p>}
        {title === "Login denied" && <p>The device won’t get a key. You can close this page.</p>}
      </div>
    </SessionFrame>
  );
}
