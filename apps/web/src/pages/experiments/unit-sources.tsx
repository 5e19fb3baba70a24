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
        description="What the experiment column of its rows has. Without it, that is the id of the experiment."
        placeholder={experiment.id}
        isCode
        value={fields.assignmentSourceExperimentName}
        onChange={(assignmentSourceExperimentName) => set({ assignmentSourceExperimentName })}
        error={own.faultAt("assignmentSourceExperimentName")}
        isDisabled={own.disabledReason !== undefined}
      />
      {filters === undefined ? (
        <p>The conditions of its rows have one that the server does not read. They are changed through the API.</p>
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
          {rules === 1 ? "One targeting rule" : `${rules} targeting rules`} of its own limit it further. They are changed through the API.
        </p>
      )}
    </>
  );
}
