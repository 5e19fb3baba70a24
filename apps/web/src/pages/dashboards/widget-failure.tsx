import { ConsoleApiError } from "../../api.ts";
import { explain } from "../../explain.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

type Props = { noun: "metric" | "experiment" | "alert"; error: unknown; onRetry: () => void };

/** The reason why a widget has no content. */
export function WidgetFailure({ noun, error, onRetry }: Props) {
  if (error instanceof ConsoleApiError && error.status === 404)
    return (
      <Notice tone="warn">
        This {noun} was deleted. Remove the widget, or restore the {noun} from its page.
      </Notice>
    );
  return (
    <Notice tone="bad" actions={<Button onPress={onRetry}>Try again</Button>}>
      {explain(error)}
    </Notice>
  );
}
