import { useState } from "react";
import { Pager } from "../shell/pager.tsx";
import { OpenAlertList } from "./open-alert-list.tsx";
import { useOpenGuardrailAlerts } from "./open-alerts.ts";

/** The open alerts of guardrails. Hidden while all are resolved. */
export default function GuardrailAlerts() {
  const [page, setPage] = useState(1);
  const open = useOpenGuardrailAlerts(page);
  if (open === undefined || open.pagination.totalItems === 0) return null;
  const { pagination } = open;
  return (
    <OpenAlertList of={open.data}>
      {pagination.totalItems > pagination.itemsPerPage && <Pager pagination={pagination} noun="alerts" onPage={setPage} />}
    </OpenAlertList>
  );
}
