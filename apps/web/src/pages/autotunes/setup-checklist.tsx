import { useNavigate } from "@tanstack/react-router";
import { Checklist } from "../../entity/checklist.tsx";
import entity from "../../entity/entity.module.css";
import { useEventSeen } from "../../entity/event-field.tsx";
import type { AutotuneDraft } from "./autotune-draft.ts";
import { checklist } from "./checklist.ts";

/** What an autotune that has not started still lacks. Each step leads to its tab. */
export function SetupChecklist({ draft: { fields } }: { draft: AutotuneDraft }) {
  const navigate = useNavigate({ from: "/projects/$projectID/autotunes/$id" });
  const steps = checklist(fields, useEventSeen(fields.successEvent));
  return (
    <section className={entity.card} aria-label="Overview">
      <h2>Before you start</h2>
      <Checklist steps={steps} onOpen={(tab) => void navigate({ search: (search) => ({ ...search, tab }), replace: true })} />
    </section>
  );
}
