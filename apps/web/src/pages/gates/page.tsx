import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, type UseNavigateResult, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { type ConsoleApiError, currentProjectID, invalidate, query } from "../../api.ts";
import { Conflict } from "../../saving/conflict.tsx";
import { SaveBar } from "../../saving/save-bar.tsx";
import { useRefusal } from "../../session/account.ts";
import { violationsOf } from "../../shell/explain.ts";
import { Page } from "../../shell/page.tsx";
import { useOfferActions } from "../../shell/page-actions.ts";
import { equal } from "../../targeting/equal.ts";
import { faultsOfRules } from "../../targeting/rule-faults.ts";
import type { Fault } from "../../targeting/types.ts";
import { Badge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { toast } from "../../ui/toast.tsx";
import { ChecksTab } from "./checks-tab.tsx";
import { DetailsTab } from "./details-tab.tsx";
import { GateActions } from "./gate-actions.tsx";
import { conflictsIn, countChanges, draftOf, type GateDraft, mergedDraft, PARTS, partText, type Stored } from "./gate-draft.ts";
import { GateReview } from "./gate-review.tsx";
import { STALE_REASONS, STATUS_NAMES, STATUS_TONES } from "./gate-state.ts";
import { HistoryTab } from "./history-tab.tsx";
import { OverridesTab } from "./overrides-tab.tsx";
import { TABS, type Tab } from "./page-search.ts";
import { TargetingTab } from "./targeting-tab.tsx";
import { UsedByTab } from "./used-by-tab.tsx";

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
  const navigate = useNavigate({ from: FROM });
  const [edits, setEdits] = useState<GateDraft>();
  const [step, setStep] = useState<"edit" | "review" | "conflict">("edit");
  const [refused, setRefused] = useState<ConsoleApiError>();
  const refusal = useRefusal()("edit_or_delete_configs");
  const isArchived = gate.status === "Archived";
  const disabledReason = refusal ?? (isArchived ? "The gate is archived. Unarchive it to change it." : undefined);
  const draft = useMemo(() => edits ?? draftOf(stored), [edits, stored]);
  const count = edits ? countChanges(edits) : 0;
  const edit = (changed: GateDraft) => {
    setRefused(undefined);
    setEdits(countChanges(changed) === 0 ? undefined : changed);
  };
  const faults = useMemo(() => faultsOf(draft, refused), [draft, refused]);
  const isBehind = edits !== undefined && (stored.etag !== edits.stored.etag || stored.overridesEtag !== edits.stored.overridesEtag);
  const open = (next: Tab) => openTab(navigate, next);
  const hasDraft = count > 0;
  useOfferActions(
    useMemo(
      () => [
        ...(hasDraft ? [{ id: "review", label: "Review the changes", shortcut: "ctrl+s", run: () => setStep("review") }] : []),
        ...TABS.map((one) => ({ id: `tab:${one}`, label: `Show ${TAB_NAMES[one].toLowerCase()}`, run: () => openTab(navigate, one) })),
      ],
      [hasDraft, navigate],
    ),
  );
  const saved = async () => {
    setEdits(undefined);
    setStep("edit");
    await invalidate("getGate", "getGateOverrides", "listGates", "listGateVersions", "listChanges", "listReferences");
    toast({ text: `${draft.fields.name} is saved`, action: { label: "See the history", onPress: () => open("history") } });
  };
  const readAgain = async () => {
    await invalidate("getGate", "getGateOverrides");
    setStep("conflict");
  };
  const shared = { draft, onChange: edit, disabledReason, faults };
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
      actions={<GateActions stored={stored} draft={draft} onChange={edit} hasDraft={count > 0} disabledReason={disabledReason} />}
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
            content: () => <HistoryTab stored={stored} hasDraft={count > 0} disabledReason={disabledReason} />,
          },
          { id: "used-by", label: TAB_NAMES["used-by"], content: () => <UsedByTab id={id} /> },
          { id: "details", label: TAB_NAMES.details, content: () => <DetailsTab {...shared} /> },
        ]}
      />
      <SaveBar
        count={count}
        isBehind={isBehind}
        onReview={() => setStep(isBehind ? "conflict" : "review")}
        onDiscard={() => edit(draftOf(stored))}
        disabledReason={
          faults.some(({ level, property }) => level === "error" && !isServers(property, refused))
            ? "Complete what is marked first."
            : undefined
        }
      />
      {step === "review" && edits && (
        <GateReview
          draft={edits}
          onClose={() => setStep("edit")}
          onSaved={() => void saved()}
          onConflict={() => void readAgain()}
          onRefused={setRefused}
        />
      )}
      {step === "conflict" && edits && (
        <Conflict
          conflicts={conflictsIn(edits, stored)}
          nameOf={(field) => PARTS[field]}
          textOf={(field, value) => partText(field, value, gate.idType)}
          saidBy={`${gate.lastModifierName ?? "Somebody"} saved version ${gate.version} since you began with version ${edits.stored.gate.version}.`}
          onClose={() => setStep("edit")}
          onReload={() => {
            setEdits(undefined);
            setStep("edit");
          }}
          onMerge={(choices) => {
            const merged = mergedDraft(edits, stored, choices);
            setEdits(countChanges(merged) === 0 ? undefined : merged);
            setStep(countChanges(merged) === 0 ? "edit" : "review");
          }}
        />
      )}
    </Page>
  );
}

function openTab(navigate: UseNavigateResult<typeof FROM>, tab: Tab): void {
  void navigate({ search: ({ tab: _, ...others }) => ({ ...others, ...(tab !== "targeting" && { tab }) }), replace: true });
}

const TAB_NAMES: Record<Tab, string> = {
  targeting: "Targeting",
  overrides: "Overrides",
  checks: "Checks",
  history: "History",
  "used-by": "Used by",
  details: "Details",
};

/** What is wrong with the draft: what the page finds at once, and what the server refused last. */
function faultsOf({ rules, stored }: GateDraft, refused: ConsoleApiError | undefined): Fault[] {
  const ours = faultsOfRules(rules, stored.gate.rules, Date.now());
  const theirs = [...violationsOf(refused)].map(([property, message]): Fault => ({ property, message, level: "error" }));
  return [...ours, ...theirs.filter(({ property }) => !ours.some((fault) => equal(fault.property, property)))];
}

const isServers = (property: string, refused: ConsoleApiError | undefined): boolean => violationsOf(refused).has(property);
