import type { Credentials } from "../../common/context.ts";
import type { Rulesets } from "../rulesets/rulesets.ts";
import type { RulesetView } from "../rulesets/views.ts";

/** How long to wait for a change that the caller already knows of. */
const CHANGE_TIMEOUT_MS = 1_000;

/**
 * The view of a key, as of `time` (ms since the epoch) or later. A replica that is behind waits, so that a caller that learns of a change
 * from one replica does not get old flags from another. After the timeout, it returns the current view.
 * @throws AppError unavailable
 */
export async function viewSince(
  rulesets: Rulesets,
  { projectID, scope }: Pick<Credentials, "projectID" | "scope">,
  time: number,
  timeoutMs = CHANGE_TIMEOUT_MS,
): Promise<RulesetView> {
  const view = await rulesets.view(projectID, scope);
  if (view.time >= time) return view;
  await new Promise<void>((resolve) => {
    const look = () => void rulesets.view(projectID, scope).then(({ time: reached }) => reached >= time && done(), done);
    const unsubscribe = rulesets.subscribe(projectID, look);
    const timer = setTimeout(done, timeoutMs);
    function done() {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    }
    // The change may have arrived before the subscription.
    look();
  });
  return rulesets.view(projectID, scope);
}
