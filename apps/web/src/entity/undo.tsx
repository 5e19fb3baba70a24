import { useState } from "react";
import { type BatchRequest, type Changes, call, invalidate, queryClient, restoreRequest } from "../api.ts";
import { explain } from "../explain.ts";
import { isRestorable, kinds, type RestorableType } from "../kinds/kinds.ts";
import { Review } from "../saving/review.tsx";
import { useRefusal } from "../session/account.ts";
import { useEnvironmentNames } from "../shell/environments.ts";
import { type Base, changedEnvironments, changeWords } from "../targeting/change-words.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toast.tsx";
import styles from "./entity.module.css";
import { CHANGED_SINCE, type Undoable, undoing } from "./undoing.ts";
import { useNames } from "./use-change-words.ts";

/** Restores the version before the changes after a review. Nothing for changes that can't be undone. */
export function Undo({ change }: { change: Undoable }) {
  const { entityType, isOfIDs } = change;
  if (isOfIDs) return <span className={styles.soft}>IDs can’t be restored.</span>;
  const found = undoing(change);
  return found && isRestorable(entityType) ? <UndoButton type={entityType} change={change} undo={found} /> : null;
}

type Props = { type: RestorableType; change: Undoable; undo: NonNullable<ReturnType<typeof undoing>> };

function UndoButton({ type, change, undo }: Props) {
  const { name = change.entityID, count } = change;
  const { permission, isTargeting } = kinds[type].restore;
  const refusal = useRefusal()(permission);
  const [restoration, setRestoration] = useState<Restoration>();
  const [isPending, setPending] = useState(false);
  const [fault, setFault] = useState<string>();
  const close = () => setRestoration(undefined);
  const start = async (version: number) => {
    setPending(true);
    setFault(undefined);
    try {
      setRestoration(await restorationOf(type, change, version));
    } catch (error) {
      setFault(error instanceof ChangedSince ? CHANGED_SINCE : explain(error));
    } finally {
      setPending(false);
    }
  };
  return (
    <>
      <Button
        look="quiet"
        isPending={isPending}
        aria-label={`Undo ${count === 1 ? "change" : `${count} changes`} to ${name}`}
        disabledReason={refusal ?? ("refusal" in undo ? undo.refusal : undefined)}
        onPress={() => "version" in undo && void start(undo.version)}
      >
        Undo
      </Button>
      {fault !== undefined && <span className={styles.fault}>{fault}</span>}
      {restoration && (
        <UndoReview
          name={name}
          {...restoration}
          isTargeting={isTargeting}
          onClose={close}
          onConflict={() => {
            close();
            setFault(CHANGED_SINCE);
            void invalidate("listChanges");
          }}
        />
      )}
    </>
  );
}

type ReviewOf = Restoration & { name: string; isTargeting: boolean; onClose: () => void; onConflict: () => void };

function UndoReview({ name, request, base, isTargeting, onClose, onConflict }: ReviewOf) {
  const names = useNames();
  const all = useEnvironmentNames();
  const isUndone = ({ entityType, entityID }: Changes[number]) => base?.type === entityType && base.id === entityID;
  const baseOf = (change: Changes[number]) => (isUndone(change) ? base : undefined);
  return (
    <Review
      title={`Undo changes to ${name}`}
      saveLabel="Undo"
      write={[request]}
      inWords={(changes) => changes.flatMap((change) => changeWords(change, baseOf(change), names, all))}
      environments={(changes) => changes.flatMap((change) => changedEnvironments(change, baseOf(change), all) ?? [])}
      isTargeting={isTargeting}
      onClose={onClose}
      onConflict={onConflict}
      onSaved={() => {
        onClose();
        void queryClient.invalidateQueries();
        toast({ text: `Undid changes to ${name}` });
      }}
    />
  );
}

/** The request that undoes a change, and the entity as it is now. A deleted one is undefined. */
type Restoration = { request: BatchRequest; base: (Base & { type: string; id: string }) | undefined };

class ChangedSince extends Error {}

/** The restoration of a version, as long as the entity has its present version. @throws ChangedSince */
async function restorationOf(type: RestorableType, { entityID: id, deed, lastVersion }: Undoable, version: number): Promise<Restoration> {
  const { restore, read } = kinds[type];
  const request = restoreRequest(restore.operationId, { id, version });
  if (deed === "deleted") return { request, base: undefined };
  const { version: _, ...path } = request.path as { id: string; version: number };
  // Each kind's operation takes the path of its restoration.
  const { data, etag } = await call(read as "getGate", { path });
  if (data.version !== lastVersion) throw new ChangedSince();
  return { request: { ...request, ifMatch: etag } as BatchRequest, base: { type, id, entity: data } };
}
