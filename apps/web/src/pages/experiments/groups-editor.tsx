import { Json5Field } from "../../entity/json5-field.tsx";
import { setFields } from "../../saving/draft-model.ts";
import { Section } from "../../shell/page.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { addGroup, type GroupDraft, withEqualSizes } from "./experiment-draft.ts";
import styles from "./experiments.module.css";
import { GroupSwitch } from "./group-switch.tsx";
import { isRunning } from "./states.ts";
import type { TabProps } from "./tab-props.ts";

/** The groups: their shares of the participants, and their values. */
export function GroupsEditor({ draft, onChange, disabledReason, faults }: TabProps) {
  const { groups, controlGroupID } = draft.fields;
  const faultAt = (property: string) => faults.find((fault) => fault.property === property)?.message;
  const set = (changed: readonly GroupDraft[]) => onChange(setFields(draft, { groups: changed }));
  const isDisabled = disabledReason !== undefined;
  const fixed =
    disabledReason ?? (isRunning(draft.stored.entity) ? "You can’t add, remove, or resize groups while the experiment runs." : undefined);
  const sum = faultAt("groups");
  return (
    <Section
      title="Groups"
      description="Users are split among the groups. Each group gets its own values."
      actions={
        <>
          <Button onPress={() => set(withEqualSizes(groups))} disabledReason={fixed}>
            Equal sizes
          </Button>
          <Button onPress={() => set(addGroup(groups))} disabledReason={fixed}>
            Add group
          </Button>
        </>
      }
    >
      {sum !== undefined && <Notice tone="bad">{sum}</Notice>}
      {groups.map((group, index) => {
        const edit = (changed: Partial<GroupDraft>) => set(groups.map((one, at) => (at === index ? { ...one, ...changed } : one)));
        const isDisabledGroup = draft.stored.entity.groups.some(({ id, disabled }) => id === group.id && disabled === true);
        return (
          <fieldset key={group.id ?? index} className={styles.group}>
            <legend className={styles.legend}>
              <bdi>{group.name}</bdi>
              {group.id !== null && group.id === controlGroupID && <Badge tone="off">Control</Badge>}
              {isDisabledGroup && <Badge tone="warn">Disabled</Badge>}
            </legend>
            <div className={styles.row}>
              <div className={styles.grow}>
                <TextField
                  label="Group"
                  value={group.name}
                  onChange={(name) => edit({ name })}
                  error={faultAt(`groups[${index}].name`)}
                  isDisabled={isDisabled}
                />
              </div>
              <NumberField
                label="Size"
                value={group.size}
                onChange={(size) => edit({ size })}
                minValue={0}
                maxValue={100}
                step={0.01}
                unit="%"
                error={faultAt(`groups[${index}].size`)}
                isDisabled={fixed !== undefined}
              />
              {group.id !== null && group.id !== controlGroupID && (
                <Button
                  look="quiet"
                  onPress={() => onChange(setFields(draft, { controlGroupID: group.id ?? "" }))}
                  disabledReason={disabledReason}
                  aria-label={`Make control: ${group.name}`}
                >
                  Make control
                </Button>
              )}
              {draft.stored.entity.groups.some(({ id }) => id === group.id) && (
                <GroupSwitch
                  stored={draft.stored}
                  group={draft.stored.entity.groups.find(({ id }) => id === group.id)?.name ?? group.name}
                  isOff={isDisabledGroup}
                  disabledReason={disabledReason}
                />
              )}
              <Button
                look="quiet"
                onPress={() => set(groups.toSpliced(index, 1))}
                disabledReason={fixed ?? (group.id === controlGroupID ? "Choose another control group first." : undefined)}
                aria-label={`Remove group ${group.name}`}
              >
                Remove
              </Button>
            </div>
            <Json5Field
              label={`Values of ${group.name}`}
              value={group.values}
              onChange={(values) => edit({ values })}
              isReadOnly={isDisabled}
            />
          </fieldset>
        );
      })}
    </Section>
  );
}
