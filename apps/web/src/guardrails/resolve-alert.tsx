import { useState } from "react";
import { call, invalidate, type Schema } from "../../api.ts";
import { explain, violationsOf } from "../../shell/explain.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";
import { afterResolving, metricNameIn, ruleNameIn } from "./guardrail-words.ts";

type Props = { gate: Schema<"Gate">; metricID: string /** Those with an open alert. */; rules: readonly string[]; onClose: () => void };

/** Asks why the open alerts of a metric are resolved, and says what follows. */
export function ResolveAlert({ gate, metricID, rules, onClose }: Props) {
  const [reasoning, setReasoning] = useState("");
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const metric = metricNameIn(gate, metricID);
  const resolve = async () => {
    setPending(true);
    setError(undefined);
    try {
      await call("resolveGateAlert", { path: { id: gate.id, metricId: metricID }, body: reasoning.trim() === "" ? {} : { reasoning } });
      onClose();
      toast({ text: `The alert of ${metric} is resolved` });
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
      await invalidate("getGate", "listGateAlerts", "getGateGuardrails", "listGates", "listGateVersions", "listChanges");
    }
  };
  return (
    <Dialog
      title={`Resolve the alert of ${metric}?`}
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
        {rules.length > 1 && (
          <p>
            It resolves the alerts of all its rules: <bdi>{rules.map((id) => ruleNameIn(gate, id)).join(", ")}</bdi>.
          </p>
        )}
        <p>
          <bdi>{afterResolving(gate, metricID)}</bdi>
        </p>
        <p>The next look that finds the metric beyond its guardrail raises a new alert.</p>
        <TextField
          label="Reason"
          rows={3}
          value={reasoning}
          onChange={setReasoning}
          description="Optional. It stays with the alert."
          error={violationsOf(error).get("reasoning")}
        />
      </div>
    </Dialog>
  );
}
