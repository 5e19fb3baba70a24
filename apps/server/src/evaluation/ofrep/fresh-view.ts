import type { Credentials } from "../../context.ts";
import type { Rulesets } from "../rulesets/rulesets.ts";
import type { RulesetView } from "../rulesets/views.ts";

/** How long to wait for a change that the caller knows of. */
const CHANGE_TIMEOUT_MS = 1_000;

/**
 * What a key sees of its project, as of `time`, ms, or later. A replica that is behind waits to catch up, so that a caller that learns of a
 * change from one replica and asks another does not get the old flags. A change that never comes is waited for once; then the present view counts.
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
    // The change may have come before the subscription.
    look();
  });
  return rulesets.view(projectID, scope);
}
