import { X } from "lucide-react";
import {
  UNSTABLE_Toast as AriaToast,
  Text,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
  UNSTABLE_ToastRegion as ToastRegion,
} from "react-aria-components";
import { Button, IconButton } from "./button.tsx";
import styles from "./toast.module.css";

type Toast = { text: string; action?: { label: string; onPress: () => void } /** Until someone closes it. */; stays?: true };

const MAX_SHOWN = 3;
const SHOWN_MS = 8_000;

const queue = new ToastQueue<Toast>({ maxVisibleToasts: MAX_SHOWN });

/** Confirms a completed action. Errors stay in the page, beside the failed part. */
export function toast(content: Toast): void {
  queue.add(content, content.stays ? {} : { timeout: SHOWN_MS });
}

export function Toasts() {
  return (
    <ToastRegion queue={queue} className={styles.region ?? ""} aria-label="Messages">
      {({ toast: shown }) => (
        <AriaToast toast={shown} className={styles.toast ?? ""}>
          <ToastContent className={styles.content ?? ""}>
            <Text slot="title">{shown.content.text}</Text>
          </ToastContent>
          {shown.content.action && (
            <Button
              look="quiet"
              onPress={() => {
                shown.content.action?.onPress();
                queue.close(shown.key);
              }}
            >
              {shown.content.action.label}
            </Button>
          )}
          <IconButton label="Close message" onPress={() => queue.close(shown.key)}>
            <X aria-hidden="true" />
          </IconButton>
        </AriaToast>
      )}
    </ToastRegion>
  );
}
