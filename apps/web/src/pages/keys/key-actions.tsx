import { useNavigate } from "@tanstack/react-router";
import { MoreHorizontal } from "lucide-react";
import { useState } from "react";
import { type Answer, type BatchRequest, invalidate } from "../../api.ts";
import { Secret } from "../../entity/secret.tsx";
import { Review } from "../../saving/review.tsx";
import { useRefusal } from "../../session/account.ts";
import { text } from "../../targeting/parts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Menu } from "../../ui/menu.tsx";
import { toast } from "../../ui/toast.tsx";
import { describeSteps, replaceWrite, type StoredKey } from "./key-draft.ts";
import { type Key, keyState } from "./key-words.ts";

const HOUR_MS = 3_600_000;
/** How long the old key may work on. */
const OVERLAPS = [
  { id: "none", label: "Stop immediately", ms: 0 },
  { id: "hour", label: "For an hour", ms: HOUR_MS },
  { id: "day", label: "For a day", ms: 24 * HOUR_MS },
  { id: "week", label: "For a week", ms: 7 * 24 * HOUR_MS },
  { id: "month", label: "For 30 days", ms: 30 * 24 * HOUR_MS },
] as const;
type OverlapID = (typeof OVERLAPS)[number]["id"];

type Step = { kind: "rotate" | "deactivate" | "delete"; title: string; label: string; lines: string[]; write: BatchRequest[] };

/** Actions on a key as a whole. Each step is reviewed before it happens. */
export function KeyActions({ stored, hasDraft }: { stored: StoredKey; hasDraft: boolean }) {
  const navigate = useNavigate({ from: "/projects/$projectID/keys/$id" });
  const [isRotating, setRotating] = useState(false);
  const [step, setStep] = useState<Step>();
  const [made, setMade] = useState<Key>();
  const refusal = useRefusal()("manage_keys");
  const { entity: key, etag } = stored;
  const open = refusal ?? (hasDraft ? "Save or discard your changes first." : undefined);
  const isOff = key.status === "deactivated";
  const request = { path: { id: key.id }, ifMatch: etag };
  const steps = {
    deactivate: (): Step => ({
      kind: "deactivate",
      title: "Deactivate key?",
      label: "Deactivate",
      lines: ["Within a second every server refuses the key.", "It stays in the list, and can never be activated again."],
      write: [{ operationId: "deactivateKey", ...request }],
    }),
    delete: (): Step => ({
      kind: "delete",
      title: "Delete key?",
      label: "Delete",
      lines: ["Within a second every server refuses the key.", "It leaves the list for good."],
      write: [{ operationId: "deleteKey", ...request }],
    }),
  };
  const saved = async ([first]: readonly { body?: unknown }[]) => {
    const kind = step?.kind;
    setStep(undefined);
    if (kind === "rotate") setMade((first?.body as Answer<"createKey"> | undefined)?.data);
    if (kind === "delete") await navigate({ to: "/projects/$projectID/keys" });
    await invalidate("listKeys", "listChanges", ...(kind === "delete" ? [] : (["getKey"] as const)));
    if (kind === "deactivate") toast({ text: "Key deactivated" });
    if (kind === "delete") toast({ text: "Key deleted" });
  };
  return (
    <>
      <Button
        onPress={() => setRotating(true)}
        disabledReason={open ?? (keyState(key, Date.now()).isUsable ? undefined : "Only active keys can be rotated.")}
      >
        Rotate
      </Button>
      <Menu
        label="More for the key"
        trigger={
          <IconButton label="More for the key" look="default">
            <MoreHorizontal aria-hidden="true" />
          </IconButton>
        }
        actions={[
          {
            id: "deactivate",
            label: "Deactivate",
            onAction: () => setStep(steps.deactivate()),
            disabledReason: open ?? (isOff ? "Already deactivated." : undefined),
            isDangerous: true,
          },
          { id: "delete", label: "Delete", onAction: () => setStep(steps.delete()), disabledReason: open, isDangerous: true },
        ]}
      />
      {isRotating && (
        <Rotate
          stored={stored}
          onClose={() => setRotating(false)}
          onChosen={(chosen) => {
            setRotating(false);
            setStep(chosen);
          }}
        />
      )}
      {step !== undefined && (
        <Review
          title={step.title}
          saveLabel={step.label}
          write={step.write}
          inWords={() =>
            describeSteps(
              key,
              step.lines.map((line) => [text(line)]),
            )
          }
          onClose={() => setStep(undefined)}
          onSaved={(answers) => void saved(answers)}
          onConflict={() => {
            setStep(undefined);
            void invalidate("getKey");
          }}
        />
      )}
      {made !== undefined && (
        <Secret
          title="The new key"
          secret={made.key ?? ""}
          onClose={() => {
            const { id } = made;
            setMade(undefined);
            if (id !== key.id) void navigate({ params: (params) => ({ ...params, id }) });
          }}
        />
      )}
    </>
  );
}

/** How long the old key works beside the new one. */
function Rotate({ stored, onClose, onChosen }: { stored: StoredKey; onClose: () => void; onChosen: (step: Step) => void }) {
  const [overlap, setOverlap] = useState<OverlapID>("day");
  const choose = () => {
    const { ms, label } = OVERLAPS.find(({ id }) => id === overlap) ?? OVERLAPS[0];
    const shared = { kind: "rotate" as const, title: "Rotate key?", label: "Rotate" };
    if (ms === 0)
      return onChosen({
        ...shared,
        lines: ["The new key replaces the old one and keeps its ID and settings.", "The old key stops working within a second."],
        write: [{ operationId: "rotateKey", path: { id: stored.entity.id }, ifMatch: stored.etag }],
      });
    onChosen({
      ...shared,
      lines: ["The new key has the same settings and its own ID.", `The old key expires in ${label.toLowerCase()}.`],
      write: replaceWrite(stored, Date.now() + ms),
    });
  };
  return (
    <Dialog
      title="Rotate key"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" onPress={choose}>
            Review
          </Button>
        </>
      }
    >
      <p>You get a new key. Keep the old one for a while to switch your applications over.</p>
      <Select
        label="Keep the old key for"
        options={OVERLAPS.map(({ id, label }) => ({ id, label }))}
        value={overlap}
        onChange={(id) => setOverlap(OVERLAPS.find((one) => one.id === id)?.id ?? "day")}
      />
    </Dialog>
  );
}
