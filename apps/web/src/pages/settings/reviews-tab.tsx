import entity from "../../entity/entity.module.css";
import type { EditProps } from "../../entity/entity-page.tsx";
import { Section } from "../../shell/page.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { type Fields, type SettingsDraft, setFields } from "./settings-draft.ts";

type Toggle = { name: keyof Fields & `is_${string}`; label: string };

const RELEASES: readonly Toggle[] = [{ name: "is_config_review_required", label: "Changes to what users get, in every environment" }];
const RESULTS: readonly Toggle[] = [
  { name: "is_metric_review_required", label: "Changes to what metrics measure" },
  { name: "is_metric_review_required_on_verified_only", label: "Only if the metric is verified" },
  { name: "is_whn_source_review_required", label: "Changes to data sources in the warehouse" },
  { name: "is_whn_analysis_only_review_required", label: "Changes to experiments that are only analyzed in the warehouse" },
];

/** The changes of the project that another person has to approve. */
export function ReviewsTab({ draft, onChange, disabledReason }: EditProps<SettingsDraft>) {
  const { fields } = draft;
  const toggle = ({ name, label }: Toggle) => (
    <Checkbox
      key={name}
      isSelected={fields[name] === true}
      onChange={(isRequired) => onChange(setFields(draft, { [name]: isRequired }))}
      isDisabled={
        disabledReason !== undefined || (name === "is_metric_review_required_on_verified_only" && !fields.is_metric_review_required)
      }
    >
      {label}
    </Checkbox>
  );
  return (
    <Section
      title="Reviews"
      description="Another person approves these changes before they take effect. Environments, teams, gates, and experiments can require reviews too."
    >
      <div className={entity.columns}>
        <fieldset className={entity.card}>
          <legend>Gates, configs, and experiments</legend>
          {RELEASES.map(toggle)}
        </fieldset>
        <fieldset className={entity.card}>
          <legend>Metrics and results</legend>
          {RESULTS.map(toggle)}
        </fieldset>
        <div className={entity.card}>
          <TextField
            label="Webhook that validates changes"
            description="The server sends each change that needs a review to this URL. The change can be published once it’s approved and your program has called validateChange."
            value={fields.change_validation_url ?? ""}
            onChange={(url) => onChange(setFields(draft, { change_validation_url: url === "" ? null : url }))}
            isDisabled={disabledReason !== undefined}
          />
        </div>
      </div>
    </Section>
  );
}
