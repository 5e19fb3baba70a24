import entity from "../../entity/entity.module.css";
import type { FieldProps } from "../../entity/field-props.ts";
import { MetricsField } from "../../entity/metrics-field.tsx";
import { FoldedSection } from "../../shell/folded-section.tsx";
import { TextField } from "../../ui/field.tsx";
import type { Fields } from "./experiment-draft.ts";

type Props = FieldProps & { fields: Fields; set: (changed: Partial<Fields>) => void };

/** Settings that few experiments need: how results reduce the variance beside CUPED. Open at first if one of them is set. */
export function AdjustmentFields({ fields, set, faultAt, disabledReason }: Props) {
  const isSet = fields.postStratifyBy !== "" || fields.cureCovariates.length > 0;
  return (
    <FoldedSection
      title="Advanced"
      description="Reduce variance for narrower confidence intervals. If both fields are empty, results use CUPED."
      isOpen={isSet}
    >
      <div className={entity.card}>
        <TextField
          label="Post-stratify by"
          description="A field of users, such as country or custom.plan, or a property of units. Not with sequential tests."
          placeholder="country"
          isCode
          value={fields.postStratifyBy}
          onChange={(postStratifyBy) => set({ postStratifyBy })}
          error={faultAt("postStratifyBy")}
          isDisabled={disabledReason !== undefined}
        />
        <MetricsField
          label="Covariates"
          description="Up to five metrics. Their values before the first exposure adjust the results by regression. Replaces CUPED, so include the metric itself. Can't be combined with post-stratification or sequential tests."
          metrics={[...fields.cureCovariates]}
          onChange={(cureCovariates) => set({ cureCovariates })}
          disabledReason={disabledReason}
          error={faultAt("cureCovariates")}
        />
      </div>
    </FoldedSection>
  );
}
