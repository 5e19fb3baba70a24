import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { lazy, useMemo } from "react";
import { currentProjectID, invalidate, query } from "../../api.ts";
import { faultsWith } from "../../entity/faults.ts";
import { useEntityTabs } from "../../entity/use-entity-tabs.ts";
import { UsedByTab } from "../../entity/used-by-tab.tsx";
import { Saving } from "../../saving/saving.tsx";
import { useDraft } from "../../saving/use-draft.ts";
import { useRefusal } from "../../session/account.ts";
import { Page } from "../../shell/page.tsx";
import { faultsOfRules } from "../../targeting/rule-faults.ts";
import { Badge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { toast } from "../../ui/toast.tsx";
import { DetailsTab } from "./details-tab.tsx";
import { GateActions } from "./gate-actions.tsx";
import { gateModel, type Stored } from "./gate-draft.ts";
import { GateReview } from "./gate-review.tsx";
import { STALE_REASONS, STATUS_NAMES, STATUS_TONES } from "./gate-state.ts";
import { GateHistory } from "./history-tab.tsx";
import { OverridesTab } from "./overrides-tab.tsx";
import type { Tab } from "./page-search.ts";
import { TargetingTab } from "./targeting-tab.tsx";

/** Charts come with the tab that shows them. */
const ChecksTab = lazy(() => import("./checks-tab.tsx"));
const FROM = "/projects/$projectID/gates/$id";

export default function GatePage() {
  const { id } = useParams({ from: FROM });
  // A draft belongs to one gate: another gate begins anew.
  return <GateOf key={`${currentProjectID()} ${id}`} id={id} />;
}

function GateOf({ id }: { id: string }) {
  const { data: answer } = useSuspenseQuery(query("getGate", { path: { id } }));
  const { data: overridesAnswer } = useSuspenseQuery(query("getGateOverrides", { path: { id } }));
  const stored = useMemo(
    (): Stored => ({
      gate: answer.data,
      etag: answer.etag ?? "",
      overrides: overridesAnswer.data,
      overridesEtag: overridesAnswer.etag ?? "",
    }),
    [answer, overridesAnswer],
  );
  const { gate } = stored;
  const { projectID } = useParams({ from: FROM });
  const { tab = "targeting" } = useSearch({ from: FROM });
  const drafting = useDraft(gateModel, stored);
  const { draft, edit, count, refused } = drafting;
  const refusal = useRefusal()("edit_or_delete_configs");
  const isArchived = gate.status === "Archived";
  const disabledReason = refusal ?? (isArchived ? "The gate is archived. Unarchive it to change it." : undefined);
  const ours = useMemo(() => faultsOfRules(draft.rules, draft.stored.gate.rules, Date.now()), [draft]);
  const open = useEntityTabs(TAB_NAMES, "targeting", drafting);
  const hasDraft = count > 0;
  const saved = async () => {
    await readAgain();
    await invalidate("listGates", "listGateVersions", "listChanges", "listReferences");
    toast({ text: `${draft.fields.name} is saved`, action: { label: "See the history", onPress: () => open("history") } });
  };
  const shared = { draft, onChange: edit, disabledReason, faults: faultsWith(ours, refused) };
  return (
    <Page
      title={gate.name}
      above={
        <Link to="/projects/$projectID/gates" params={{ projectID }}>
          Gates
        </Link>
      }
      beside={
        <>
          <Badge tone={STATUS_TONES[gate.status]}>{STATUS_NAMES[gate.status]}</Badge>
          {gate.typeReason !== "NONE" && <Badge tone="warn">{STALE_REASONS[gate.typeReason]}</Badge>}
          <code>{gate.id}</code>
        </>
      }
      actions={<GateActions stored={stored} draft={draft} onChange={edit} hasDraft={hasDraft} disabledReason={disabledReason} />}
    >
      {refusal !== undefined && <Notice>{refusal}</Notice>}
      {isArchived && <Notice>This gate is archived: every check fails, and lists omit it.</Notice>}
      {gate.holdoutIDs.length > 0 && <Notice>Held out of it are units of {gate.holdoutIDs.join(", ")}.</Notice>}
      <Tabs
        label="Parts of the gate"
        selected={tab}
        onSelect={open}
        tabs={[
          { id: "targeting", label: TAB_NAMES.targeting, content: () => <TargetingTab {...shared} /> },
          { id: "overrides", label: TAB_NAMES.overrides, content: () => <OverridesTab {...shared} /> },
          { id: "checks", label: TAB_NAMES.checks, content: () => <ChecksTab gate={gate} /> },
          {
            id: "history",
            label: TAB_NAMES.history,
            content: () => <GateHistory stored={stored} disabledReason={disabledReason ?? (hasDraft ? SAVE_FIRST : undefined)} />,
          },
          {
            id: "used-by",
            label: TAB_NAMES["used-by"],
            content: () => (
              <UsedByTab type="gate" id={id} noun="gate">
                Gates, segments, experiments and holdouts whose rules name it would be listed here.
              </UsedByTab>
            ),
          },
          { id: "details", label: TAB_NAMES.details, content: () => <DetailsTab {...shared} /> },
        ]}
      />
      <Saving
        model={gateModel}
        drafting={drafting}
        stored={stored}
        last={gate}
        versionOf={(read) => read.gate.version}
        disabledReason={ours.some(({ level }) => level === "error") ? "Complete what is marked first." : undefined}
        review={(edits, handlers) => <GateReview draft={edits} {...handlers} />}
        onReadAgain={readAgain}
        onSaved={() => void saved()}
      />
    </Page>
  );
}

const readAgain = () => invalidate("getGate", "getGateOverrides");
const SAVE_FIRST = "Save or discard your changes first.";

const TAB_NAMES: Record<Tab, string> = {
  targeting: "Targeting",
  overrides: "Overrides",
  checks: "Checks",
  history: "History",
  "used-by": "Used by",
  details: "Details",
};
