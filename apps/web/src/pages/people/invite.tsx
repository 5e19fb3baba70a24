import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call, currentProjectID, invalidate, query } from "../../api.ts";
import { violationsByPlace } from "../../explain.ts";
import { useRefusal } from "../../session/account.ts";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { Snippet } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { moment } from "../../ui/time-text.ts";
import { emailsIn } from "./member-words.ts";
import styles from "./people.module.css";

const NO_TEAM = "none";
type Issued = Answer<"inviteUsers">["data"];

/** Gives people a role. People who cannot sign in yet get a link, which is shown once. */
export function Invite({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState("");
  const [role, setRole] = useState<string | null>(null);
  const [team, setTeam] = useState(NO_TEAM);
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const [issued, setIssued] = useState<Issued>();
  const { data: roles } = useQuery(query("listRoles", { query: { limit: 1000 } }));
  const { data: teams } = useQuery(query("listTeams", { query: { limit: 1000 } }));
  const { data: settings } = useQuery(query("getRoleSettings"));
  // Without email on this server, the settings have none.
  const { data: notifications } = useQuery(query("getNotificationSettings", { path: { id: currentProjectID() ?? "" } }));
  const teamRefusal = useRefusal()("create_teams");
  const given = role ?? settings?.data.default_project_role ?? null;
  const emails = emailsIn(text);
  const faults = violationsByPlace(error);
  const fault = (name: string) => [...faults].find(([property]) => property === name || property.startsWith(`${name}[`));
  const send = async () => {
    setPending(true);
    setError(undefined);
    try {
      const { data } = await call("inviteUsers", {
        body: { emails, role: given ?? "", ...(team !== NO_TEAM && { teams: [team] }) },
      });
      setIssued(data);
      await invalidate("listUsers", "listInvitations", "getTeam", "listChanges");
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  if (issued) return <Links issued={issued} onClose={onClose} />;
  return (
    <FormDialog
      title="Invite people"
      label={emails.length > 1 ? `Invite ${emails.length} people` : "Invite"}
      isPending={isPending}
      disabledReason={emails.length === 0 ? "Enter at least one address." : given === null ? "Choose a role." : undefined}
      error={error}
      onSubmit={send}
      onClose={onClose}
    >
      <TextField
        label="Email addresses"
        autoFocus
        rows={4}
        value={text}
        onChange={setText}
        description="One per line, or separated by commas. Up to 100."
        error={emailFault(fault("emails"), emails)}
      />
      <Select
        label="Role"
        options={(roles?.data ?? []).map(({ name, isBuiltIn }) => ({ id: name, label: name, ...(!isBuiltIn && { hint: "own" }) }))}
        value={given}
        onChange={setRole}
        description="You can only grant permissions that you have."
        error={fault("role")?.[1]}
      />
      <Select
        label="Team"
        options={[{ id: NO_TEAM, label: "None" }, ...(teams?.data ?? []).map(({ id, name }) => ({ id, label: name }))]}
        value={team}
        onChange={setTeam}
        isDisabled={teamRefusal !== undefined}
        {...(teamRefusal !== undefined && { description: teamRefusal })}
        error={fault("teams")?.[1]}
      />
      <p>
        {notifications?.data.email === undefined
          ? "You’ll get a link to send to each person who can’t sign in yet."
          : "People who can’t sign in yet get a link by email. You can copy it after you invite them."}
      </p>
    </FormDialog>
  );
}

/** The address that is wrong stands among others in one field. */
function emailFault(fault: [property: string, message: string] | undefined, emails: readonly string[]): string | undefined {
  if (fault === undefined) return undefined;
  const index = /\[(\d+)\]/.exec(fault[0])?.[1];
  const email = index === undefined ? undefined : emails[Number(index)];
  return email === undefined ? fault[1] : `${email}: ${fault[1]}`;
}

function Links({ issued, onClose }: { issued: Issued; onClose: () => void }) {
  const links = issued.filter(({ url }) => url !== null);
  const members = issued.filter(({ url }) => url === null);
  const isEmailed = links.every((one) => one.isEmailed);
  return (
    <Dialog
      title={issued.length === 1 ? "1 person invited" : `${issued.length} people invited`}
      isOpen
      onClose={onClose}
      isDemanding={!isEmailed}
      width="wide"
      actions={
        <Button look="primary" onPress={onClose}>
          {isEmailed ? "Done" : "I have copied the links"}
        </Button>
      }
    >
      {links.length > 0 && !isEmailed && (
        <Notice tone="warn" title="These links are shown only now">
          Send each link to its person. It works once, with their address only. To replace a lost link, invite the person again.
        </Notice>
      )}
      {links.length > 0 && isEmailed && (
        <Notice tone="good" title="We’re emailing the links">
          Each link works once, with the person’s address only. If an email doesn’t arrive, send the person this link, or invite them again.
        </Notice>
      )}
      <ul className={styles.links}>
        {links.map(({ email, url, expiresAt }) => (
          <li key={email}>
            <strong>
              <bdi>{email}</bdi>
            </strong>
            <Snippet label={`Link for ${email}`} text={url ?? ""} />
            {expiresAt !== null && <span className={styles.soft}>Works until {moment(expiresAt)}.</span>}
          </li>
        ))}
      </ul>
      {members.length > 0 && (
        <p>
          <bdi>{members.map(({ email }) => email).join(", ")}</bdi> can already sign in, or have a link from another project. If it’s lost,
          ask a server administrator for a new one.
        </p>
      )}
    </Dialog>
  );
}
