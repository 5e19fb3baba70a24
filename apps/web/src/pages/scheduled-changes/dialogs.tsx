import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call, invalidate, query, type Schema } from "../../api.ts";
import { explain } from "../../explain.ts";
import { faultOfTime, TimeField } from "../../saving/when-field.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { LOCALE } from "../../ui/locale.ts";
import { Notice } from "../../ui/notice.tsx";
import { exactTime } from "../../ui/time-text.ts";
import { toast } from "../../ui/toast.tsx";
import { useUnreadReason } from "../../ui/unread.ts";

type Props = { change: Schema<"ScheduledChange">; onClose: () => void };

/** Chooses another time for a scheduled change. */
export function MoveChange({ change, onClose }: Props) {
  const [applyAt, setApplyAt] = useState(change.applyAt);
  return (
    <Question
      {...{ change, onClose }}
      title="Reschedule change"
      label="Reschedule"
      disabledReason={applyAt === change.applyAt ? "Choose a different time." : faultOfTime(applyAt, Date.now())}
      done={`Scheduled for ${exactTime(applyAt, LOCALE)}`}
      act={(ifMatch) => call("rescheduleChange", { path: { id: change.id }, body: { applyAt }, ...ifMatch })}
    >
      <TimeField value={applyAt} onChange={setApplyAt} />
      {change.repeat !== undefined && <p>Later occurrences move to the new time of day too.</p>}
    </Question>
  );
}

/** Asks before a scheduled change is canceled. */
export function CancelChange({ change, onClose }: Props) {
  return (
    <Question
      {...{ change, onClose }}
      title="Cancel scheduled change?"
      label="Cancel change"
      isDangerous
      done="Change canceled"
      act={(ifMatch) => call("cancelScheduledChange", { path: { id: change.id }, ...ifMatch })}
    >
      <p>
        {change.repeat === undefined ? "It won’t be applied." : "It won’t be applied, and it stops repeating."} You can schedule it again
        later.
      </p>
    </Question>
  );
}

type QuestionProps = Props & {
  title: string;
  label: string;
  isDangerous?: boolean;
  disabledReason?: string | undefined;
  done: string;
  act: (ifMatch: { ifMatch?: string }) => Promise<unknown>;
  children: ReactNode;
};

function Question({ change, title, label, isDangerous = false, disabledReason, done, act, children, onClose }: QuestionProps) {
  const read = useQuery({ ...query("getScheduledChange", { path: { id: change.id } }), staleTime: 0, gcTime: 0 });
  const [isPending, setPending] = useState(false);
  const [error, setError] = useState<unknown>();
  const unread = useUnreadReason();
  const etag = read.data?.etag;
  const fault = error ?? read.error ?? undefined;
  const confirm = async () => {
    setPending(true);
    setError(undefined);
    try {
      await act(etag === undefined ? {} : { ifMatch: etag });
      toast({ text: done });
      onClose();
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
      void invalidate("listScheduledChanges", "listChanges");
    }
  };
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{isDangerous ? "Keep change" : "Back"}</Button>
          <Button
            look={isDangerous ? "danger" : "primary"}
            isPending={isPending}
            onPress={confirm}
            disabledReason={disabledReason ?? unread ?? (read.isSuccess ? undefined : "Still loading.")}
          >
            {label}
          </Button>
        </>
      }
    >
      {fault !== undefined && <Notice tone="bad">{explain(fault)}</Notice>}
      {children}
    </Dialog>
  );
}
