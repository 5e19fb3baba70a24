import { useEffect, useRef, useState } from "react";
import { invalidate } from "../../api.ts";
import { createTransfer, type Progressed, type Transfer } from "./transfer.ts";

export type TransferState =
  | { status: "idle" }
  | { status: "running" | "stopped" | "done"; progress: Progressed | undefined }
  | { status: "failed"; progress: Progressed | undefined; error: unknown };

/** Sends the ids of a file. Ids that were sent stay, even if the rest fails. */
export function useTransfer() {
  const [state, setState] = useState<TransferState>({ status: "idle" });
  const transfer = useRef<Transfer>(undefined);
  const isWanted = useRef(false);
  const isRunning = state.status === "running";
  useEffect(() => {
    if (!isRunning) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isRunning]);
  // After the reader leaves, only the batch in progress is still sent.
  useEffect(
    () => () => {
      isWanted.current = false;
    },
    [],
  );

  const run = async (running: Transfer, known?: Progressed) => {
    isWanted.current = true;
    let progress = known;
    setState({ status: "running", progress });
    try {
      while (isWanted.current && !progress?.isDone) {
        progress = await running.next();
        setState({ status: "running", progress });
      }
      setState({ status: progress?.isDone ? "done" : "stopped", progress });
    } catch (error) {
      setState({ status: "failed", progress, error });
    }
    await invalidate("getSegment", "getSegmentIDList", "listSegments", "listSegmentVersions", "listChanges");
  };
  return {
    state,
    start: (...given: Parameters<typeof createTransfer>) => {
      transfer.current = createTransfer(...given);
      void run(transfer.current);
    },
    /** Goes on where it failed or was stopped. */
    resume: () => {
      if (transfer.current && state.status !== "idle") void run(transfer.current, state.progress);
    },
    stop: () => {
      isWanted.current = false;
    },
    forget: () => setState({ status: "idle" }),
  };
}
