import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { query } from "../api.ts";
import { violationsByPlace } from "../explain.ts";
import { IconButton } from "../ui/button.tsx";
import { ComboBox } from "../ui/choice.tsx";
import { personName } from "./names.ts";
import styles from "./session.module.css";

export type Reviewer = { id: string; name: string; email: string };

type Props = {
  label: string;
  value: readonly Reviewer[];
  onChange: (value: Reviewer[]) => void;
  description: string;
  /** Someone who can't be chosen. */
  except?: string | undefined;
  /** Whether someone who isn't in the list can be added by their email address, such as an administrator of the server. The server checks them. */
  acceptsEmail?: boolean;
  error?: string | undefined;
  isDisabled?: boolean;
};

/** Only what could be an address is offered. */
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** The server's objections to people who were asked for a review, in one text. */
export function reviewersFault(error: unknown): string | undefined {
  const faults = [...violationsByPlace(error)].filter(([place]) => /^reviewers\b/.test(place)).map(([, message]) => inWords(message));
  return faults.length === 0 ? undefined : faults.join(" ");
}

/** “Names kim@example.com, who cannot access the project.” in the words of the console. */
function inWords(message: string): string {
  const [, person, why] = /^Names (\S+), who (.+)$/.exec(message) ?? [];
  return why === undefined ? message : `${person} ${why.replace("cannot", "can’t")}`;
}

const approvers = { query: { permission: "approve_reviews", limit: 1_000 } };

/** People who can approve changes, chosen one after another. */
export function ReviewersField({ label, value, onChange, description, except, acceptsEmail = false, error, isDisabled = false }: Props) {
  const { data } = useQuery(query("listUsers", approvers));
  const others = (data?.data ?? []).filter(({ id }) => id !== except && value.every((one) => one.id !== id));
  const isChosen = (email: string) => value.some((one) => one.email.toLowerCase() === email.toLowerCase());
  const byEmail = (typed: string) => {
    const email = typed.trim();
    return acceptsEmail && EMAIL.test(email) && !isChosen(email) ? { id: email, label: email, hint: "By email address" } : undefined;
  };
  return (
    <>
      {value.length > 0 && (
        <ul aria-label="Reviewers">
          {value.map(({ id, name, email }) => (
            <li key={id} className={styles.person}>
              <bdi>{name || email}</bdi>
              <IconButton
                label={`Remove reviewer ${name || email}`}
                isDisabled={isDisabled}
                onPress={() => onChange(value.filter((one) => one.id !== id))}
              >
                <X aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <ComboBox
        label={label}
        key={value.map(({ id }) => id).join()}
        placeholder={acceptsEmail ? "Name or email address" : "Search by name"}
        options={others.map((member) => ({ id: member.id, label: personName(member), hint: member.email }))}
        optionFor={byEmail}
        value={null}
        onChange={(chosen) => {
          const member = others.find(({ id, email }) => id === chosen || email.toLowerCase() === chosen.toLowerCase());
          if (member) onChange([...value, { id: member.id, name: personName(member), email: member.email }]);
          else if (byEmail(chosen)) onChange([...value, { id: chosen, name: "", email: chosen }]);
        }}
        description={description}
        error={error}
        isDisabled={isDisabled}
      />
    </>
  );
}
