import { ReviewersField } from "../session/reviewers-field.tsx";
import type { ReviewFields, ReviewSettings } from "../targeting/review-settings.ts";
import { Checkbox } from "../ui/field.tsx";

type Props = {
  value: ReviewSettings;
  onChange: (fields: ReviewFields) => void;
  isDisabled?: boolean;
  error?: string | undefined;
};

/** Whether changes of what users get need a review, and who can approve them. */
export function ReviewSettingsField({ value, onChange, isDisabled = false, error }: Props) {
  const { requiredReview, allowedReviewers: reviewers = [] } = value;
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
        <ReviewersField
          label="Add a reviewer"
          value={reviewers}
          onChange={set}
          description="Without reviewers, anyone whose role can approve changes can approve."
          error={error}
          isDisabled={isDisabled}
        />
      )}
    </>
  );
}
