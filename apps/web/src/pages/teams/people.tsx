import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { Button, IconButton } from "../../ui/button.tsx";
import { ComboBox } from "../../ui/choice.tsx";
import { addPerson, removePerson, type TeamDraft } from "./team-draft.ts";
import styles from "./teams.module.css";

type Props = { draft: TeamDraft; onChange: (draft: TeamDraft) => void; isDisabled: boolean };

/** Members and admins by their addresses, including people without an account. */
export function TeamPeople({ draft, onChange, isDisabled }: Props) {
  const { members, admins } = draft.fields;
  const { data } = useQuery(query("listUsers", { query: { limit: 1000 } }));
  const names = new Map((data?.data ?? []).map(({ email, firstName, lastName }) => [email, `${firstName} ${lastName}`.trim()]));
  const inTeam = [...admins.map((email) => ({ email, isAdmin: true })), ...members.map((email) => ({ email, isAdmin: false }))];
  const others = [...names].filter(([email]) => !inTeam.some((one) => one.email === email));
  return (
    <div className={entity.card}>
      {inTeam.length === 0 ? (
        <p className={entity.soft}>No members yet.</p>
      ) : (
        <ul className={styles.people} aria-label="Team members">
          {inTeam.map(({ email, isAdmin }) => (
            <li key={email}>
              <span className={styles.person}>
                <bdi>{names.get(email) || email}</bdi>
                <span className={entity.soft}>
                  {isAdmin ? "Admin" : "Member"}
                  {names.get(email) ? `, ${email}` : ""}
                  {data !== undefined && !names.has(email) && ", has no role in this project"}
                </span>
              </span>
              <Button
                look="quiet"
                isDisabled={isDisabled}
                aria-label={`Make ${isAdmin ? "a member" : "an admin"}: ${email}`}
                onPress={() => onChange(addPerson(draft, isAdmin ? "members" : "admins", email))}
              >
                {isAdmin ? "Make a member" : "Make an admin"}
              </Button>
              <IconButton label={`Remove ${email}`} isDisabled={isDisabled} onPress={() => onChange(removePerson(draft, email))}>
                <X aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <ComboBox
        label="Add a person"
        key={inTeam.map(({ email }) => email).join()}
        placeholder="Search by name"
        options={others.map(([email, name]) => ({ id: email, label: name === "" ? email : `${name}, ${email}` }))}
        value={null}
        onChange={(email) => onChange(addPerson(draft, "members", email))}
        isDisabled={isDisabled}
      />
    </div>
  );
}
