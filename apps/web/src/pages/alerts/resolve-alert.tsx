import { useState } from "react";
import { call, invalidate, ReviewRequiredError } from "../../api.ts";
import { explain, violationsByPlace } from "../../explain.ts";
import type { Alert } from "../../results/alert-words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";

/** Asks why an alert is resolved, and states the consequences. */
export function ResolveAlert({ alert: { id, name = id }, onClose }: { alert: Alert; onClose: () => void }) {
  const [reasoning, setReasoning] = useState("");
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const resolve = async () => {
    setPending(true);
    setError(undefined);
    try {
      await call("resolveAlert", { path: { id }, body: reasoning.trim() === "" ? {} : { reasoning } });
      onClose();
      toast({ text: `${name} is resolved` });
    } catch (thrown) {
      if (thrown instanceof ReviewRequiredError) onClose();
      else setError(thrown);
    } finally {
      setPending(false);
      await invalidate("getAlert", "listAlerts", "listAlertEvents");
    }
  };
  return (
    <Dialog
      title={`Resolve ${name}?`}
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
        <p>The status becomes stable. If the next check finds the value beyond a threshold, the alert triggers again.</p>
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
