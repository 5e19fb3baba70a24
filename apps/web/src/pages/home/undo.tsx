import { useState } from "react";
import { type BatchRequest, call, invalidate, queryClient, restoreRequest } from "../../api.ts";
import { explain } from "../../explain.ts";
import { isRestorable, kinds, type RestorableType } from "../../kinds/kinds.ts";
import { Review } from "../../saving/review.tsx";
import { useRefusal } from "../../session/account.ts";
import { describeContent } from "../../targeting/changes.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./home.module.css";
import { CHANGED_SINCE, type Recent, undoing } from "./recent-changes.ts";

/** Restores the version before the changes after a review. Nothing for changes that can't be undone. */
export function Undo({ change }: { change: Recent }) {
  const { entityType } = change;
  const found = undoing(change);
  return found && isRestorable(entityType) ? <UndoButton type={entityType} change={change} undo={found} /> : null;
}

type Props = { type: RestorableType; change: Recent; undo: NonNullable<ReturnType<typeof undoing>> };

function UndoButton({ type, change, undo }: Props) {
  const { name, count } = change;
  const { permission, isTargeting } = kinds[type].restore;
  const refusal = useRefusal()(permission);
  const [write, setWrite] = useState<BatchRequest>();
  const [isPending, setPending] = useState(false);
  const [fault, setFault] = useState<string>();
  const close = () => setWrite(undefined);
  const start = async (version: number) => {
    setPending(true);
    setFault(undefined);
    try {
      setWrite(await requestOf(type, change, version));
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
      {write && (
        <Review
          title={`Undo changes to ${name}`}
          saveLabel="Undo"
          write={[write]}
          inWords={(changes) => changes.map(describeContent)}
          isTargeting={isTargeting}
          onClose={close}
          onConflict={() => {
            close();
            setFault(CHANGED_SINCE);
            void invalidate("listChanges");
          }}
          onSaved={() => {
            close();
            void queryClient.invalidateQueries();
            toast({ text: `Undid changes to ${name}` });
          }}
        />
      )}
    </>
  );
}

class ChangedSince extends Error {}

/** The request that restores a version, as long as the entity has its present version. @throws ChangedSince */
async function requestOf(type: RestorableType, { entityID: id, deed, lastVersion }: Recent, version: number): Promise<BatchRequest> {
  const { restore, read } = kinds[type];
  const request = restoreRequest(restore.operationId, { id, version });
  if (deed === "deleted") return request;
  const { version: _, ...path } = request.path as { id: string; version: number };
  // Each kind's operation takes the path of its restoration.
  const { data, etag } = await call(read as "getGate", { path });
  if (data.version !== lastVersion) throw new ChangedSince();
  return { ...request, ifMatch: etag } as BatchRequest;
}
