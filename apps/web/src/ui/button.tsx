import type { ReactNode } from "react";
import { Button as AriaButton, type ButtonProps as AriaProps, Tooltip, TooltipTrigger } from "react-aria-components";
import styles from "./button.module.css";

type Look = "default" | "primary" | "quiet" | "danger";

export type ButtonProps = Omit<AriaProps, "className" | "style" | "children"> & {
  look?: Look;
  children: ReactNode;
  /** Why the button cannot be pressed. It is then disabled, and shows the reason. */
  disabledReason?: string | undefined;
};

export function Button({ look = "default", disabledReason, isPending = false, children, ...props }: ButtonProps) {
  const isRefused = disabledReason !== undefined;
  const button = (
    <AriaButton
      {...props}
      // The library would announce a pending button by a reference to it, which outlives the button.
      {...((isRefused || isPending) && { "aria-disabled": true, onPress: undefined, type: "button" as const })}
      data-pending={isPending || undefined}
      className={`${styles.button} ${styles[look]} ${isRefused ? styles.refused : ""}`}
    >
      {children}
    </AriaButton>
  );
  return isRefused ? <WithTip tip={disabledReason}>{button}</WithTip> : button;
}

/** A button with an icon alone. Its label is read aloud, and shown as a tip. */
export function IconButton({ label, children, look = "quiet", disabledReason, ...props }: ButtonProps & { label: string }) {
  const isRefused = disabledReason !== undefined;
  return (
    <WithTip tip={disabledReason ?? label}>
      <AriaButton
        {...props}
        {...(isRefused && { "aria-disabled": true, onPress: undefined })}
        aria-label={label}
        className={`${styles.button} ${styles[look]} ${styles.icon} ${isRefused ? styles.refused : ""}`}
      >
        {children}
      </AriaButton>
    </WithTip>
  );
}

function WithTip({ tip, children }: { tip: string; children: ReactNode }) {
  return (
    <TooltipTrigger delay={400} closeDelay={0}>
      {children}
      <Tooltip className={styles.tip ?? ""} offset={6}>
        {tip}
      </Tooltip>
    </TooltipTrigger>
  );
}
