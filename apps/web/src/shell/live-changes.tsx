import { useEffect } from "react";
import { type CallID, followChanges, invalidate, queryClient } from "../api.ts";
import { readsAfter } from "../kinds/reads-after.ts";

/** Open pages follow the changes of others. Drafts are not touched: the save bar says that the page is behind. */
export default function LiveChanges({ after }: { after: number }) {
  useEffect(() => {
    const abort = new AbortController();
    void follow(after, abort.signal);
    return () => abort.abort();
  }, [after]);
  return null;
}

/** The server writes the notifications of a change soon after it, in ms. */
const NOTIFIED_MS = 3_000;

let isAsking = false;

/** Counts unread notifications again after a change. Changes that follow soon share one request. */
function askForNotifications(): void {
  if (isAsking) return;
  isAsking = true;
  setTimeout(() => {
    isAsking = false;
    void invalidate("listNotifications");
  }, NOTIFIED_MS);
}

async function follow(after: number, signal: AbortSignal): Promise<void> {
  const outdated = new Set<CallID>();
  let isReading = false;
  // Changes that arrive while pages are read again share the next reading.
  const readAgain = async () => {
    if (isReading) return;
    isReading = true;
    while (outdated.size > 0) {
      const ids = [...outdated];
      outdated.clear();
      await invalidate(...ids);
    }
    isReading = false;
  };
  try {
    for await (const change of followChanges(after, signal)) {
      if (change.type === "reset") await queryClient.invalidateQueries();
      else for (const id of readsAfter(change)) outdated.add(id);
      void readAgain();
      askForNotifications();
    }
  } catch {
    // Without the stream a page shows what it read; each read says itself why it fails.
  }
}
