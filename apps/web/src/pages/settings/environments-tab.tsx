import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import entity from "../../entity/entity.module.css";
import type { EditProps } from "../../entity/entity-page.tsx";
import { Section } from "../../shell/page.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { addEnvironment, type EnvironmentDraft, findTeam, type SettingsDraft } from "./settings-draft.ts";

const ANYONE = "anyone";
const LAST = "A project needs at least one environment.";

function approving({ requiredReviewGroupID: group }: EnvironmentDraft, teams: SettingsDraft["stored"]["teams"]): string | null {
  if (!group) return ANYONE;
  const team = findTeam(teams, group);
  return team === undefined ? null : `=${team.id}`;
}

function withTeam({ requiredReviewGroupID: _, ...environment }: EnvironmentDraft, id: string | undefined): EnvironmentDraft {
  return id === undefined ? environment : { ...environment, requiredReviewGroupID: id };
}

/** The environments, in their order on pages. */
export function EnvironmentsTab({ draft, onChange, disabledReason, faults }: EditProps<SettingsDraft>) {
  const { environments, stored } = draft;
  const { teams } = stored;
  const set = (changed: readonly EnvironmentDraft[]) => onChange({ ...draft, environments: changed });
  const edit = (index: number, changed: Partial<EnvironmentDraft>) =>
    set(environments.map((one, at) => (at === index ? { ...one, ...changed } : one)));
  const move = (index: number, to: number) => {
    const moved = environments[index];
    if (moved) set(environments.toSpliced(index, 1).toSpliced(to, 0, moved));
  };
  return (
    <Section
      title="Environments"
      description="Used by rules, overrides, and keys. You can’t remove an environment that a key is limited to."
      actions={
        <Button onPress={() => set(addEnvironment(environments))} disabledReason={disabledReason}>
          <Plus aria-hidden="true" />
          Add environment
        </Button>
      }
    >
      {environments.map((environment, index) => (
        <fieldset
          key={environment.id ?? `new ${index}`}
          className={entity.card}
          aria-label={environment.name || "Environment without a name"}
        >
          <div className={entity.row}>
            <TextField
              label="Name"
              value={environment.name}
              onChange={(name) => edit(index, { name })}
              error={faults.find(({ property }) => property === `environments[${index}].name`)?.message}
              isDisabled={disabledReason !== undefined}
            />
            <Checkbox
              isSelected={environment.isProduction}
              onChange={(isProduction) => edit(index, { isProduction })}
              isDisabled={disabledReason !== undefined}
            >
              Serves real users
            </Checkbox>
            <Checkbox
              isSelected={environment.requiresReview}
              onChange={(requiresReview) => edit(index, { requiresReview })}
              isDisabled={disabledReason !== undefined}
            >
              Changes need a review
            </Checkbox>
            {environment.requiresReview && (
              <Select
                label={`Who approves changes in ${environment.name}`}
                options={[
                  { id: ANYONE, label: "Anyone whose role can approve changes" },
                  ...teams.map(({ id, name }) => ({ id: `=${id}`, label: `The team ${name}` })),
                ]}
                value={approving(environment, teams)}
                onChange={(id) => set(environments.with(index, withTeam(environment, id === ANYONE ? undefined : id.slice(1))))}
                isDisabled={disabledReason !== undefined}
              />
            )}
            <Checkbox
              isSelected={environment.requiresReleasePipeline}
              onChange={(requiresReleasePipeline) => edit(index, { requiresReleasePipeline })}
              isDisabled={disabledReason !== undefined}
            >
              Changes need a release pipeline
            </Checkbox>
            <IconButton
              label={`Move ${environment.name} up`}
              onPress={() => move(index, index - 1)}
              disabledReason={disabledReason ?? (index === 0 ? "Already first." : undefined)}
            >
              <ArrowUp aria-hidden="true" />
            </IconButton>
            <IconButton
              label={`Move ${environment.name} down`}
              onPress={() => move(index, index + 1)}
              disabledReason={disabledReason ?? (index === environments.length - 1 ? "Already last." : undefined)}
            >
              <ArrowDown aria-hidden="true" />
            </IconButton>
            <IconButton
              label={`Remove ${environment.name}`}
              onPress={() => set(environments.toSpliced(index, 1))}
              disabledReason={disabledReason ?? (environments.length === 1 ? LAST : undefined)}
            >
              <Trash2 aria-hidden="true" />
            </IconButton>
          </div>
          {environment.requiresReleasePipeline && (
            <p className={entity.soft}>
              Changes to what users get here are refused unless the gate or dynamic config has a release pipeline with phases. Launching a
              gate is refused too.
            </p>
          )}
        </fieldset>
      ))}
    </Section>
  );
}
