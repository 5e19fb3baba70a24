import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { currentProjectID, instanceQuery, invalidate, query, type Schema, type Write } from "../../api.ts";
import { PersonSecondFactors } from "../../entity/person-second-factors.tsx";
import { PersonSessions } from "../../entity/person-sessions.tsx";
import { explain } from "../../explain.ts";
import { Review } from "../../saving/review.tsx";
import { useAccount, useProject, useRefusal } from "../../session/account.ts";
import { personName } from "../../session/names.ts";
import { countPermissions, PERMISSION_WORDS } from "../../session/permissions.ts";
import { ActorName } from "../../shell/actor-name.tsx";
import type { Change } from "../../targeting/change.ts";
import { describeChanges } from "../../targeting/changes.ts";
import { fieldChanges } from "../../targeting/field-changes.ts";
import { subject, text } from "../../targeting/parts.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Loading, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import styles from "./people.module.css";

type Member = Schema<"Member">;
type Step = "role" | "remove";

const ROLE = { role: { label: "Role", as: "value" } } as const;
const LOSS: Change = { kind: "removed", field: "", parts: [text("No longer a member")] };

/** A member: the reasons for their access, and its editable parts. */
export function MemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { email } = member;
  const [role, setRole] = useState(member.role);
  const [step, setStep] = useState<Step>();
  const { data: stored, error } = useQuery(query("getUser", { path: { email } }));
  const { data: roles } = useQuery(query("listRoles", { query: { limit: 1000 } }));
  const refusal = useRefusal()("manage_members");
  const [isBehind, setBehind] = useState(false);
  const name = personName(member);
  const write: Write =
    step === "remove"
      ? [{ operationId: "removeProjectMember", path: { id: currentProjectID() ?? "", email } }]
      : [{ operationId: "updateUser", path: { email }, body: { role }, ...(stored?.etag !== undefined && { ifMatch: stored.etag }) }];
  const saved = () => {
    toast({ text: step === "remove" ? `${name} is no longer a member` : `${name} is now ${role}` });
    onClose();
    // Removed members can no longer be read.
    if (step === "role") void invalidate("getUser");
    void invalidate("listUsers", "listChanges", "listInvitations", "getSession");
  };
  return (
    <>
      <Dialog
        title={name}
        isOpen={step === undefined}
        onClose={onClose}
        width="wide"
        actions={
          <>
            <Button onPress={() => setStep("remove")} disabledReason={refusal}>
              Remove from project
            </Button>
            <Button
              look="primary"
              onPress={() => setStep("role")}
              disabledReason={
                refusal ?? (role === member.role ? "Choose another role first." : stored === undefined ? "Still loading." : undefined)
              }
            >
              Review role
            </Button>
          </>
        }
      >
        {error && <Notice tone="bad">{explain(error)}</Notice>}
        {isBehind && <Notice tone="warn">Someone else changed this member. Your change wasn’t saved.</Notice>}
        <Select
          label="Role"
          options={(roles?.data ?? []).map((one) => ({
            id: one.name,
            label: one.name,
            hint: `${countPermissions(one.permissions)} of ${PERMISSION_WORDS.size} permissions`,
          }))}
          value={role}
          onChange={setRole}
          isDisabled={refusal !== undefined}
          {...(refusal !== undefined && { description: refusal })}
        />
        {refusal === undefined && <PersonSecondFactors id={member.id} />}
        {refusal === undefined && <PersonSessions id={member.id} />}
        <Access member={member} roles={roles?.data ?? []} />
      </Dialog>
      {step !== undefined && (
        <Review
          title={step === "remove" ? `Remove ${name} from the project?` : `Change the role of ${name}`}
          saveLabel={step === "remove" ? "Remove" : "Save"}
          isTargeting={false}
          write={write}
          inWords={(changes) => [
            {
              entityType: "member",
              entityID: member.id,
              title: [subject(name)],
              changes: step === "remove" ? [LOSS] : fieldChanges(ROLE, { role: member.role }, { role }),
            },
            ...describeChanges(
              changes.filter(({ entityType }) => entityType !== "member"),
              [],
            ),
          ]}
          onClose={() => setStep(undefined)}
          onConflict={() => {
            setStep(undefined);
            setBehind(true);
            void invalidate("listUsers", "getUser");
          }}
          onSaved={saved}
        >
          {step === "remove" && <p>They lose access to this project immediately. Their account and history are kept.</p>}
        </Review>
      )}
    </>
  );
}

/** The reasons for this person's access: the role, its source, and the instance. */
function Access({ member, roles }: { member: Member; roles: readonly Schema<"Role">[] }) {
  const project = useProject();
  const { person: me } = useAccount();
  const isMe = me.id === member.id;
  const { data: person } = useQuery({ ...instanceQuery("getPerson", { path: { id: member.id } }), enabled: me.isAdministrator && !isMe });
  const { data: changes, isPending } = useQuery(query("listChanges", { query: { entityType: "member", entityID: member.id, limit: 20 } }));
  const role = roles.find(({ name }) => name === member.role);
  const isAdministrator = isMe ? me.isAdministrator : person?.data.isAdministrator;
  const permitted = role ? [...PERMISSION_WORDS].filter(([name]) => role.permissions[name]) : [];
  return (
    <section className="stack" aria-label="Access">
      <h3>Access</h3>
      {!member.isActive && <Notice tone="warn">This person is deactivated and can’t sign in.</Notice>}
      <ul className={styles.reasons}>
        <li>
          The role{" "}
          <strong>
            <bdi>{member.role}</bdi>
          </strong>{" "}
          in the project <bdi>{project.name}</bdi>, a member since <Time time={member.createdTime} />
          {member.creatorName !== null && (
            <>
              {", added by "}
              <ActorName id={member.creatorID} name={member.creatorName} />
            </>
          )}
          .
        </li>
        <li>
          {isAdministrator === undefined
            ? "Server administrators have full access to all projects. Only they can see who is one."
            : isAdministrator
              ? "Server administrator, with full access to all projects."
              : "Not a server administrator, so access comes only from the role."}
        </li>
        <li>It doesn’t matter for permissions how they sign in.</li>
      </ul>
      <h3>Permissions</h3>
      {role === undefined ? (
        <p>The role was deleted, so it grants no permissions.</p>
      ) : (
        <ul className={styles.may}>
          {permitted.map(([name, words]) => (
            <li key={name}>{words}</li>
          ))}
        </ul>
      )}
      <h3>Access history</h3>
      {isPending && <Loading />}
      <ul className={styles.reasons}>
        {(changes?.data ?? []).map(({ seq, time, actorName, fields, version }) => {
          const change = fields.find(({ field }) => field === "role");
          return (
            <li key={seq}>
              <bdi>{actorName ?? "Someone"}</bdi>{" "}
              {version === 1
                ? "made the person a member"
                : change
                  ? `changed the role from ${change.before} to ${change.after}`
                  : "changed the member"}{" "}
              <Time time={time} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
