import { Component, type ComponentType, type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from "react";
import buttons from "./button.module.css";
import styles from "./load-failure.module.css";
import { Notice } from "./notice.tsx";

/** A part of the console that the browser could not load. */
export class LoadFailure extends Error {}

/** @param onRetry loads the part again and shows it */
export type FailureProps = { onRetry: () => void; onClose?: () => void };

type BoundaryProps = { Failed: ComponentType<FailureProps>; onRetry: () => void; onClose?: () => void; children: ReactNode };

/** Shows something else in place of a part that could not be loaded. All other errors are left to the boundaries above. */
export class LoadBoundary extends Component<BoundaryProps, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { Failed, onRetry, onClose, children } = this.props;
    const { error } = this.state;
    if (error === undefined) return children;
    if (!(error instanceof LoadFailure)) throw error;
    const retry = () => {
      onRetry();
      this.setState({ error: undefined });
    };
    return <Failed onRetry={retry} {...(onClose && { onClose })} />;
  }
}

const TEXT = "Couldn’t load this part of the page. Your unsaved changes are kept.";

/** A button of the browser's own: the component library comes with the first page, if it comes. */
function PlainButton({ look = "default", ...props }: { look?: "default" | "primary"; onClick: () => void; children: ReactNode }) {
  return <button type="button" className={`${buttons.button} ${buttons[look]}`} {...props} />;
}

export function FailedPart({ onRetry }: FailureProps) {
  return (
    <Notice tone="bad" title="This part of the page can’t be shown" actions={<PlainButton onClick={onRetry}>Try again</PlainButton>}>
      {TEXT}
    </Notice>
  );
}

export function FailedDialog({ onRetry, onClose }: FailureProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleID = useId();
  useEffect(() => ref.current?.showModal(), []);
  const onCancel = (event: SyntheticEvent) => {
    event.preventDefault();
    onClose?.();
  };
  return (
    <dialog ref={ref} className={styles.dialog} aria-labelledby={titleID} onCancel={onCancel}>
      <h2 id={titleID}>This dialog can’t be shown</h2>
      <p>{TEXT}</p>
      <div className={styles.actions}>
        {onClose && <PlainButton onClick={onClose}>Close</PlainButton>}
        <PlainButton look="primary" onClick={onRetry}>
          Try again
        </PlainButton>
      </div>
    </dialog>
  );
}

/** Empty parts are loaded again once the browser is back online, or after this time, in ms. */
const RETRY_MS = 30_000;

export function FailedBackground({ onRetry }: FailureProps) {
  useEffect(() => {
    const timer = setTimeout(onRetry, RETRY_MS);
    addEventListener("online", onRetry);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", onRetry);
    };
  }, [onRetry]);
  return null;
}
