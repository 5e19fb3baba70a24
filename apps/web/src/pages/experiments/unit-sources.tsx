import { CriteriaFields } from "../../criteria/criteria-fields.tsx";
import type { FieldProps } from "../../entity/field-props.ts";
import { TextField } from "../../ui/field.tsx";
import { filterDrafts, filtersOfDrafts } from "./assignment-filters.ts";
import type { Fields } from "./experiment-draft.ts";
import { AssignmentSourceChoice, QualifyingEventChoice } from "./source-choices.tsx";
import type { Experiment } from "./states.ts";

type Props = FieldProps & { experiment: Experiment; fields: Fields; set: (changed: Partial<Fields>) => void };

/** The experiment's rows of the assignment source. */
function AssignmentRows({ experiment, fields, set, ...own }: Props) {
  const filters = filterDrafts(fields.assignmentSourceFilters);
  return (
    <>
      <TextField
        label="Experiment in the source"
        description="The experiment’s name in the source. Leave empty to use its ID."
        placeholder={experiment.id}
        isCode
        value={fields.assignmentSourceExperimentName}
        onChange={(assignmentSourceExperimentName) => set({ assignmentSourceExperimentName })}
        error={own.faultAt("assignmentSourceExperimentName")}
        isDisabled={own.disabledReason !== undefined}
      />
      {filters === undefined ? (
        <p>A condition on the source’s rows isn’t supported here. Use the API to change it.</p>
      ) : (
        <CriteriaFields
          criteria={filters}
          onChange={(criteria) => set({ assignmentSourceFilters: filtersOfDrafts(criteria) })}
          place="assignmentSourceFilters"
          kind="columns"
          {...own}
        />
      )}
    </>
  );
}

/** The source of the units, and which of them count. @param isFixed whether the sources cannot be changed */
export default function UnitSources({ isFixed: isDisabled, ...props }: Props & { isFixed: boolean }) {
  const { experiment, fields, set, faultAt } = props;
  const rules = experiment.inlineTargetingRules.length;
  return (
    <>
      <AssignmentSourceChoice
        name={fields.assignmentSourceName}
        onChange={(assignmentSourceName) => set({ assignmentSourceName })}
        isDisabled={isDisabled}
        error={faultAt("assignmentSourceName")}
      />
      {fields.assignmentSourceName !== "" && <AssignmentRows {...props} />}
      <QualifyingEventChoice
        name={fields.qualifyingEventName}
        onChange={(qualifyingEventName) => set({ qualifyingEventName })}
        isDisabled={isDisabled}
        error={faultAt("qualifyingEventName")}
      />
      {rules > 0 && (
        <p>
          {rules === 1 ? "1 inline targeting rule also applies." : `${rules} inline targeting rules also apply.`} Use the API to change
          them.
        </p>
      )}
    </>
  );
}
