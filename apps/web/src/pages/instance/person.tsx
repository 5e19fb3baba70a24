import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call, instanceQuery, invalidate } from "../../api.ts";
import { PersonSecondFactors } from "../../entity/person-second-factors.tsx";
import { PersonSessions } from "../../entity/person-sessions.tsx";
import { explain } from "../../explain.ts";
import { Review } from "../../saving/review.tsx";
import { personName } from "../../session/names.ts";
import { describeChanges } from "../../targeting/changes.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";
import { ResetLink } from "./reset-link.tsx";

type Edits = { firstName?: string; lastName?: string; isAdministrator?: boolean; isActive?: boolean };

/** A person: their name, whether they may sign in and administer the server, and a way back in without a password. */
export function PersonDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const read = instanceQuery("getPerson", { path: { id } });
  const { data: answer, error: unread, isFetchedAfterMount } = useQuery(read);
  const [edits, setEdits] = useState<Edits>({});
  const [isReviewing, setReviewing] = useState(false);
  const [isOvertaken, setOvertaken] = useState(false);
  const [reset, setReset] = useState<Answer<"createPasswordReset">["data"]>();
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const stored = isFetchedAfterMount ? answer?.data : undefined;
  const fault = error ?? unread ?? undefined;
  if (stored === undefined)
    return (
      <Dialog title="A person" isOpen onClose={onClose}>
        {fault === undefined ? <Loading label="Loading person" /> : <Notice tone="bad">{explain(fault)}</Notice>}
      </Dialog>
    );
  const name = personName(stored);
  const shown = { ...stored, ...edits };
  const changed = Object.fromEntries(Object.entries(edits).filter(([field, value]) => value !== stored[field as keyof Edits]));
  const readAgain = () => invalidate("listPeople", "getPerson", "getSession", "listUsers", "listPasswordResets");
  const makeReset = async () => {
    setPending(true);
    setError(undefined);
    try {
      setReset((await call("createPasswordReset", { path: { id } })).data);
      await invalidate("listPasswordResets", "listInvitations");
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  if (reset) return <ResetLink reset={reset} onClose={onClose} />;
  if (isReviewing)
    return (
      <Review
        title={`Review changes to ${name}`}
        isTargeting={false}
        write={[{ operationId: "patchPerson", path: { id }, body: changed, ...(answer?.etag !== undefined && { ifMatch: answer.etag }) }]}
        inWords={(changes) => describeChanges(changes, [])}
        onClose={() => setReviewing(false)}
        onConflict={() => {
          setReviewing(false);
          setOvertaken(true);
          void readAgain();
        }}
        onSaved={() => {
          onClose();
          void readAgain();
          toast({ text: `${name} is saved` });
        }}
      >
        {changed.isActive === false && <p>They’re signed out everywhere. Their keys keep working, and their name stays in the history.</p>}
      </Review>
    );
  return (
    <Dialog
      title={name}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button
            onPress={() => void makeReset()}
            isPending={isPending}
            disabledReason={stored.isActive ? undefined : "Deactivated people can’t sign in."}
          >
            Create password reset
          </Button>
          <Button
            look="primary"
            onPress={() => setReviewing(true)}
            disabledReason={Object.keys(changed).length === 0 ? "No changes yet." : undefined}
          >
            Review
          </Button>
        </>
      }
    >
      <div className="stack">
        {fault !== undefined && <Notice tone="bad">{explain(fault)}</Notice>}
        {isOvertaken && <Notice tone="warn">Someone else saved changes. Fields you haven’t edited show their values.</Notice>}
        <p>
          <bdi>{stored.email}</bdi>
        </p>
        {stored.isProvisioned && <Notice>Managed by your identity provider through SCIM. Change the name and access there.</Notice>}
        <TextField label="First name" value={shown.firstName} onChange={(firstName) => setEdits({ ...edits, firstName })} />
        <TextField label="Last name" value={shown.lastName} onChange={(lastName) => setEdits({ ...edits, lastName })} />
        <Checkbox isSelected={shown.isAdministrator} onChange={(isAdministrator) => setEdits({ ...edits, isAdministrator })}>
          Server administrator: full access to all projects
        </Checkbox>
        <Checkbox isSelected={shown.isActive} onChange={(isActive) => setEdits({ ...edits, isActive })}>
          May sign in
        </Checkbox>
        <PersonSecondFactors id={id} />
        <PersonSessions id={id} />
      </div>
    </Dialog>
  );
}
