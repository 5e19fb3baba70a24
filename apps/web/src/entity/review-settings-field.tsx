import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { query } from "../api.ts";
import { membersRequest } from "../session/members.ts";
import { personName } from "../session/names.ts";
import type { ReviewFields, ReviewSettings } from "../targeting/review-settings.ts";
import { IconButton } from "../ui/button.tsx";
import { ComboBox } from "../ui/choice.tsx";
import { Checkbox } from "../ui/field.tsx";
import styles from "./entity.module.css";

type Props = {
  value: ReviewSettings;
  onChange: (fields: ReviewFields) => void;
  isDisabled?: boolean;
  error?: string | undefined;
};

/** Whether changes of what users get need a review, and who can approve them. */
export function ReviewSettingsField({ value, onChange, isDisabled = false, error }: Props) {
  const { requiredReview, allowedReviewers: reviewers = [] } = value;
  const { data } = useQuery({ ...query("listUsers", membersRequest), enabled: requiredReview });
  const others = (data?.data ?? []).filter(({ id }) => reviewers.every((one) => one.id !== id));
  const set = (allowedReviewers: typeof reviewers) => onChange({ reviewSettings: { requiredReview, allowedReviewers } });
  return (
    <>
      <Checkbox
        isSelected={requiredReview}
        onChange={(isRequired) => onChange({ reviewSettings: { requiredReview: isRequired, allowedReviewers: reviewers } })}
        isDisabled={isDisabled}
      >
        Changes to what users get need a review
      </Checkbox>
      {requiredReview && (
        <>
          {reviewers.length > 0 && (
            <ul aria-label="Reviewers">
              {reviewers.map(({ id, name, email }) => (
                <li key={id} className={styles.row}>
                  <bdi>{name || email}</bdi>
                  <IconButton
                    label={`Remove reviewer ${name || email}`}
                    isDisabled={isDisabled}
                    onPress={() => set(reviewers.filter((one) => one.id !== id))}
                  >
                    <X aria-hidden="true" />
                  </IconButton>
                </li>
              ))}
            </ul>
          )}
          <ComboBox
            label="Add a reviewer"
            key={reviewers.map(({ id }) => id).join()}
            placeholder="Search by name"
            options={others.map((member) => ({ id: member.id, label: personName(member), hint: member.email }))}
            value={null}
            onChange={(chosen) => {
              const member = others.find(({ id }) => id === chosen);
              if (member) set([...reviewers, { id: member.id, name: personName(member), email: member.email }]);
            }}
            description="Without reviewers, anyone whose role can approve changes can approve."
            error={error}
            isDisabled={isDisabled}
          />
        </>
      )}
    </>
  );
}
