import { useState } from "react";
import { queryClient, restoreRequest } from "../api.ts";
import { kinds, type RestorableType } from "../kinds/kinds.ts";
import { Review } from "../saving/review.tsx";
import { useRefusal } from "../session/account.ts";
import { describeContent } from "../targeting/changes.ts";
import { Button } from "../ui/button.tsx";
import { toast } from "../ui/toast.tsx";

type Props = { type: RestorableType; id: string; name: string /** The version to restore. */; version: number };

/** Restores a deleted entity after a review. For entities without a page. */
export function RestoreDeleted({ type, id, name, version }: Props) {
  const { operationId, permission, isTargeting } = kinds[type].restore;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button look="quiet" onPress={() => setOpen(true)} disabledReason={useRefusal()(permission)}>
        Restore
      </Button>
      {isOpen && (
        <Review
          title={`Restore ${name}`}
          saveLabel="Restore"
          write={[restoreRequest(operationId, { id, version })]}
          inWords={(changes) => changes.map((one) => describeContent(one))}
          isTargeting={isTargeting}
          onClose={close}
          onConflict={close}
          onSaved={() => {
            close();
            void queryClient.invalidateQueries();
            toast({ text: `${name} exists again` });
          }}
        />
      )}
    </>
  );
}
