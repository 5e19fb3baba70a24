import type { Run } from "../../ingestion/ingestion-words.ts";
import { ActorName } from "../../shell/actor-name.tsx";

/** The schedule or the person that started a run. */
export function RunTrigger({ run: { trigger, creatorName } }: { run: Pick<Run, "trigger" | "creatorName"> }) {
  if (trigger === "schedule") return "The schedule";
  if (creatorName === null) return "A backfill";
  return (
    <>
      A backfill by <ActorName id={null} name={creatorName} />
    </>
  );
}
