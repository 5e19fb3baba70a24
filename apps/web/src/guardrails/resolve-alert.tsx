import { useState } from "react";
import { type CallID, invalidate, ReviewRequiredError } from "../api.ts";
import { explain, violationsByPlace } from "../explain.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toast.tsx";
import type { GuardedPart } from "./guardrail-words.ts";

/** Resolves the open alerts of a metric, and names the operations to read again. */
export type Resolution = { resolve: (metricID: string, body: { reasoning?: string }) => Promise<unknown>; reads: readonly CallID[] };

type Props = {
  metricID: string;
  metric: string;
  part: GuardedPart;
  /** The rules or groups with an open alert. */
  names: readonly string[];
  resolution: Resolution;
  /** Other consequences. */
  consequence: string | undefined;
  onClose: () => void;
};

/** Asks why the open alerts of a metric are resolved, and states the consequences. */
export function ResolveAlert({ metricID, metric, part, names, resolution, consequence, onClose }: Props) {
  const [reasoning, setReasoning] = useState("");
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const resolve = async () => {
    setPending(true);
    setError(undefined);
    try {
      await resolution.resolve(metricID, reasoning.trim() === "" ? {} : { reasoning });
      onClose();
      toast({ text: `Resolved the alert on ${metric}` });
    } catch (thrown) {
      if (thrown instanceof ReviewRequiredError) onClose();
      else setError(thrown);
    } finally {
      setPending(false);
      await invalidate(...resolution.reads);
    }
  };
  return (
    <Dialog
      title={`Resolve the alert on ${metric}?`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" onPress={() => void resolve()} isPending={isPending}>
            Resolve
          </Button>
        </>
      }
    >
      <div className="stack">
        {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
        {names.length > 1 && (
          <p>
            Resolves the alerts of all its {part}s: <bdi>{names.join(", ")}</bdi>.
          </p>
        )}
        {consequence !== undefined && (
          <p>
            <bdi>{consequence}</bdi>
          </p>
        )}
        <p>You’ll get a new alert if the next check still finds the metric worse than its guardrail.</p>
        <TextField
          label="Reason"
          rows={3}
          value={reasoning}
          onChange={setReasoning}
          description="Optional. Visible in the alert’s history."
          error={violationsByPlace(error).get("reasoning")}
        />
      </div>
    </Dialog>
  );
}
