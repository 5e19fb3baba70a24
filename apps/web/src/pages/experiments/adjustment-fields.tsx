import entity from "../../entity/entity.module.css";
import type { FieldProps } from "../../entity/field-props.ts";
import { MetricsField } from "../../entity/metrics-field.tsx";
import { Section } from "../../shell/page.tsx";
import { TextField } from "../../ui/field.tsx";
import type { Fields } from "./experiment-draft.ts";

type Props = FieldProps & { fields: Fields; set: (changed: Partial<Fields>) => void };

/** How results reduce the variance beside CUPED. */
export function AdjustmentFields({ fields, set, faultAt, disabledReason }: Props) {
  return (
    <Section
      title="Variance reduction"
      description="Results compare like with like, so that their intervals get shorter. If you leave both empty, results use CUPED."
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
    </Section>
  );
}
