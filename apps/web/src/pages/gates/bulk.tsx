import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import {
  type Answer,
  type BatchRequest,
  ConsoleApiError,
  call,
  invalidate,
  preview,
  query,
  ReviewRequiredError,
  type Schema,
  save,
} from "../../api.ts";
import { explain } from "../../explain.ts";
import { Impact } from "../../saving/impact.tsx";
import { NeedsReview } from "../../saving/needs-review.tsx";
import { ReasonField } from "../../saving/reason-field.tsx";
import { useMayBypass, useRefusal } from "../../session/account.ts";
import { isUnpublished, reviewAsked } from "../../targeting/requirement-words.ts";
import { Button } from "../../ui/button.tsx";
import { ComboBox } from "../../ui/choice.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";
import { BulkOutcomes } from "./bulk-outcomes.tsx";
import {
  type BulkAction,
  bulkDone,
  bulkLabel,
  bulkRequests,
  inEnvironment,
  type ReadGate,
  unaffected,
  undoRequests,
} from "./bulk-writes.ts";
import styles from "./list.module.css";

type Gate = Schema<"Gate">;

/** How many users seen lately are compared. */
const IMPACT_USERS = 1_000;

const TITLES: Record<BulkAction["id"], string> = {
  enable: "Enable gates",
  disable: "Disable gates",
  archive: "Archive gates",
  unarchive: "Unarchive gates",
  tag: "Add a tag",
  untag: "Remove a tag",
};

type BulkProps = {
  gates: readonly Gate[];
  /** The chosen environment, where gates are turned on and off; undefined means all. */
  environment: string | undefined;
  onDone: () => void;
};

/** Actions on the selected gates. All of them are reviewed first, and are stored together or not at all. */
export function BulkBar({ gates, environment, onDone }: BulkProps) {
  const [action, setAction] = useState<BulkAction>();
  const refusal = useRefusal();
  // Nothing is offered that none of the selected gates can do.
  const offer = (offered: BulkAction, permission: "launch_or_disable_configs" | "edit_or_delete_configs") =>
    gates.some((gate) => unaffected(gate, offered) === undefined) && (
      <Button onPress={() => setAction(offered)} disabledReason={refusal(permission)}>
        {`${TITLES[offered.id].split(" ")[0]}${inEnvironment(offered)}`}
      </Button>
    );
  const place = environment === undefined ? {} : { environment };
  return (
    <section className={styles.bulk} aria-label="Selected gates">
      <strong role="status">{gates.length === 1 ? "1 gate selected" : `${gates.length} gates selected`}</strong>
      {offer({ id: "enable", ...place }, "launch_or_disable_configs")}
      {offer({ id: "disable", ...place }, "launch_or_disable_configs")}
      {offer({ id: "archive" }, "edit_or_delete_configs")}
      {offer({ id: "unarchive" }, "edit_or_delete_configs")}
      <Menu
        label="Tags"
        trigger={<Button disabledReason={refusal("edit_or_delete_configs")}>Tags</Button>}
        actions={[
          { id: "tag", label: "Add a tag", onAction: () => setAction({ id: "tag", tag: "" }) },
          { id: "untag", label: "Remove a tag", onAction: () => setAction({ id: "untag", tag: "" }) },
        ]}
      />
      <Button look="quiet" onPress={onDone}>
        Clear selection
      </Button>
      {action && (
        <BulkReview
          gates={gates}
          action={action}
          onChange={setAction}
          onClose={() => setAction(undefined)}
          onStored={() => {
            setAction(undefined);
            onDone();
          }}
        />
      )}
    </section>
  );
}

type ReviewProps = {
  gates: readonly Gate[];
  action: BulkAction;
  onChange: (action: BulkAction) => void;
  onClose: () => void;
  onStored: () => void;
};

function BulkReview({ gates, action, onChange, onClose, onStored }: ReviewProps) {
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const [reason, setReason] = useState("");
  const { data: tags } = useQuery({ ...query("listTags", { query: { limit: 1000 } }), enabled: "tag" in action });
  const ids = gates.map(({ id }) => id);
  const reads = useQuery({ queryKey: ["bulk read", ids], queryFn: () => readGates(ids), staleTime: 0, gcTime: 0 });
  const [leftOut, setLeftOut] = useState<readonly string[]>([]);
  const included = (reads.data ?? []).filter(({ gate }) => !leftOut.includes(gate.id));
  const requests = "tag" in action && action.tag === "" ? [] : bulkRequests(included, action);
  const check = useQuery({
    queryKey: ["bulk", requests],
    queryFn: () => preview(requests, IMPACT_USERS),
    // A write in progress is not checked again: the versions that it names are then old.
    enabled: requests.length > 0 && !isPending,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const store = async (options = {}) => {
    setPending(true);
    setError(undefined);
    try {
      const answers = await save(requests, reason.trim(), options);
      const etags = new Map(requests.map(({ path }, index) => [(path as { id: string }).id, answers[index]?.etag ?? ""]));
      const undo = undoRequests(requests, reads.data ?? [], etags);
      await invalidate("listGates", "getGate");
      toast({ text: bulkDone(action, requests.length), action: { label: "Undo", onPress: () => void takeBack(undo) }, stays: true });
      onStored();
    } catch (thrown) {
      if (thrown instanceof ReviewRequiredError) onStored();
      else setError(thrown);
    } finally {
      setPending(false);
    }
  };
  const requirements = check.data?.requirements ?? [];
  const mayBypass = useMayBypass() && requirements.length > 0 && !isUnpublished(requirements);
  const unsavable =
    requests.length === 0
      ? "No changes to make."
      : check.error
        ? "Couldn’t save your changes."
        : check.isSuccess
          ? undefined
          : "Still checking your changes.";
  const fault = error ?? reads.error ?? check.error ?? undefined;
  return (
    <Dialog
      title={`${TITLES[action.id]}${inEnvironment(action)}`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          {mayBypass && (
            <Button
              isPending={isPending}
              disabledReason={unsavable ?? (reason.trim() === "" ? "Enter a reason first." : undefined)}
              onPress={() => store({ bypassReview: true })}
            >
              {bulkLabel(action, requests.length)} without review
            </Button>
          )}
          <Button
            look={requirements.length === 0 && (action.id === "archive" || action.id === "disable") ? "danger" : "primary"}
            isPending={isPending}
            disabledReason={unsavable}
            onPress={() => store(reviewAsked(requirements))}
          >
            {requirements.length > 0 ? "Request review" : bulkLabel(action, requests.length)}
          </Button>
        </>
      }
    >
      {"tag" in action && (
        <ComboBox
          label="Tag"
          options={(tags?.data ?? []).map(({ name }) => ({ id: name, label: name }))}
          value={action.tag === "" ? null : action.tag}
          onChange={(tag) => onChange({ ...action, tag })}
          allowsOther={action.id === "tag"}
        />
      )}
      {fault !== undefined && (
        <Notice tone="bad" title="Couldn’t save your changes">
          {explain(fault)}
        </Notice>
      )}
      <BulkOutcomes
        gates={included}
        action={action}
        impact={check.data?.impact}
        leftOut={leftOut.length}
        onLeaveOut={(ids) => setLeftOut(ids)}
      />
      {(reads.isPending || check.isFetching) && <Loading label="Checking" />}
      {requirements.length > 0 && <NeedsReview requirements={requirements} />}
      {check.data?.impact && <Impact impact={check.data.impact} />}
      <ReasonField value={reason} onChange={setReason} />
    </Dialog>
  );
}

/** Restores the gates as they were before the change. If someone changed one of them since, none is restored. */
async function takeBack(undo: readonly BatchRequest[]): Promise<void> {
  try {
    await save(undo);
    toast({ text: undo.length === 1 ? "The gate is restored" : `${undo.length} gates are as before` });
  } catch (thrown) {
    if (thrown instanceof ReviewRequiredError) return;
    const isChanged = thrown instanceof ConsoleApiError && thrown.status === 412;
    toast({ text: isChanged ? "Couldn’t undo: someone has changed one of the gates since then." : `Couldn’t undo: ${explain(thrown)}` });
  }
  await invalidate("listGates", "getGate");
}

/** The gates as they are now, which may be later than the list. */
async function readGates(ids: readonly string[]): Promise<ReadGate[]> {
  const { data } = await call("batch", { requests: ids.map((id) => ({ operationId: "getGate", path: { id } })) });
  return data.map((item) => ({ gate: (item.body as Answer<"getGate">).data, etag: item.etag ?? "" }));
}
