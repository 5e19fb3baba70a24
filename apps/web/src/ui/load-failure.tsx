import { Component, type ComponentType, type ReactNode, useEffect } from "react";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
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

const TEXT = "This part of the page could not be loaded. Your unsaved changes are kept.";

export function FailedPart({ onRetry }: FailureProps) {
  return (
    <Notice tone="bad" title="This part of the page can’t be shown" actions={<Button onPress={onRetry}>Try again</Button>}>
      {TEXT}
    </Notice>
  );
}

export function FailedDialog({ onRetry, onClose }: FailureProps) {
  return (
    <Dialog
      title="This dialog can’t be shown"
      isOpen
      onClose={onClose ?? (() => {})}
      isDemanding={onClose === undefined}
      actions={
        <>
          {onClose && <Button onPress={onClose}>Close</Button>}
          <Button look="primary" onPress={onRetry}>
            Try again
          </Button>
        </>
      }
    >
      <p>{TEXT}</p>
    </Dialog>
  );
}

/** What has nothing to show is loaded again once the browser is back online, or after this time, in ms. */
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
