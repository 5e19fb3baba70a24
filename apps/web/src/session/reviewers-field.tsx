import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { query } from "../api.ts";
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
  error?: string | undefined;
  isDisabled?: boolean;
};

const approvers = { query: { permission: "approve_reviews", limit: 1_000 } };

/** People who can approve changes, chosen one after another. */
export function ReviewersField({ label, value, onChange, description, except, error, isDisabled = false }: Props) {
  const { data } = useQuery(query("listUsers", approvers));
  const others = (data?.data ?? []).filter(({ id }) => id !== except && value.every((one) => one.id !== id));
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
        placeholder="Search by name"
        options={others.map((member) => ({ id: member.id, label: personName(member), hint: member.email }))}
        value={null}
        onChange={(chosen) => {
          const member = others.find(({ id }) => id === chosen);
          if (member) onChange([...value, { id: member.id, name: personName(member), email: member.email }]);
        }}
        description={description}
        error={error}
        isDisabled={isDisabled}
      />
    </>
  );
}
