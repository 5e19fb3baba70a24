import { OpenAlertList } from "./open-alert-list.tsx";
import { useOpenGuardrailAlerts } from "./open-alerts.ts";

/** The open alerts of experiments' guardrails; nothing if there are none. */
export default function GuardrailAlerts() {
  const open = useOpenGuardrailAlerts() ?? [];
  return open.length > 0 && <OpenAlertList of={open} />;
}
