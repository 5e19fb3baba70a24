import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call, invalidate, query, type Schema } from "../../api.ts";
import { explain } from "../../explain.ts";
import { faultOfTime, TimeField } from "../../saving/when-field.tsx";
import { Confirm } from "../../shell/confirm.tsx";
import { Notice } from "../../ui/notice.tsx";
import { moment } from "../../ui/time-text.ts";

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
      done={`Scheduled for ${moment(applyAt)}`}
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

function Question({ change, act, children, ...question }: QuestionProps) {
  const read = useQuery({ ...query("getScheduledChange", { path: { id: change.id } }), staleTime: 0, gcTime: 0 });
  const etag = read.data?.etag;
  return (
    <Confirm
      {...question}
      backLabel={question.isDangerous ? "Keep change" : "Back"}
      disabledReason={question.disabledReason ?? (read.isSuccess ? undefined : "Still loading.")}
      act={() => act(etag === undefined ? {} : { ifMatch: etag })}
      onSettled={() => invalidate("listScheduledChanges", "listChanges")}
    >
      {read.error && <Notice tone="bad">{explain(read.error)}</Notice>}
      {children}
    </Confirm>
  );
}
