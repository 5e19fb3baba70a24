import { useQuery } from "@tanstack/react-query";
import { query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import type { EditProps } from "../../entity/entity-page.tsx";
import { NoTeams, useTeams } from "../../entity/team-field.tsx";
import { Section } from "../../shell/page.tsx";
import { ComboBox, Select } from "../../ui/choice.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { type Fields, type SettingsDraft, setFields } from "./settings-draft.ts";

const VISIBILITIES = [
  { id: "OPEN", label: "Everyone" },
  { id: "CLOSED", label: "Its members" },
  { id: "EXTERNAL", label: "Public" },
] as const satisfies readonly { id: Fields["visibility"]; label: string }[];

/** The names that this browser knows. The server also knows older ones. */
const TIME_ZONES = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])].map((id) => ({ id, label: id }));

/** The project's name, its time zone, and the defaults of new entities and people. */
export function GeneralTab({ draft, onChange, disabledReason, faults }: EditProps<SettingsDraft>) {
  const { fields } = draft;
  const { data: units } = useQuery(query("listUnitIDTypes", { query: { limit: 1000 } }));
  const { data: roles } = useQuery(query("listRoles", { query: { limit: 1000 } }));
  const { hasNone } = useTeams();
  const set = (changed: Partial<Fields>) => onChange(setFields(draft, changed));
  const faultAt = (property: string) => faults.find((fault) => fault.property === property)?.message;
  const isDisabled = disabledReason !== undefined;
  const options = (names: readonly string[], chosen: string) => [...new Set([chosen, ...names])].map((id) => ({ id, label: id }));
  return (
    <div className={entity.columns}>
      <Section title="Project">
        <div className={entity.card}>
          <TextField label="Name" value={fields.name} onChange={(name) => set({ name })} error={faultAt("name")} isDisabled={isDisabled} />
          <Select
            label="Visibility"
            options={VISIBILITIES}
            value={fields.visibility}
            onChange={(id) => set({ visibility: id as Fields["visibility"] })}
            description="Only members see the project in Gatehouse. Other tools can read this setting."
            isDisabled={isDisabled}
          />
          <ComboBox
            label="Time zone"
            options={TIME_ZONES}
            value={fields.timeZone}
            onChange={(timeZone) => set({ timeZone })}
            allowsOther
            description="Results are grouped by days in this time zone, from the next results update."
            error={faultAt("timeZone")}
            isDisabled={isDisabled}
          />
        </div>
      </Section>
      <Section title="Defaults">
        <div className={entity.card}>
          <Select
            label="Default unit ID type"
            options={options(
              (units?.data ?? []).map(({ name }) => name),
              fields.default_unit_type,
            )}
            value={fields.default_unit_type}
            onChange={(id) => set({ default_unit_type: id })}
            description="Used for new gates, dynamic configs and experiments."
            error={faultAt("default_unit_type")}
            isDisabled={isDisabled}
          />
          <Select
            label="Default role"
            options={options(
              (roles?.data ?? []).map(({ name }) => name),
              fields.default_project_role,
            )}
            value={fields.default_project_role}
            onChange={(id) => set({ default_project_role: id })}
            description="Preselected for invitations."
            error={faultAt("default_project_role")}
            isDisabled={isDisabled}
          />
          <Checkbox
            isSelected={fields.require_teams_on_configs}
            onChange={(isRequired) => set({ require_teams_on_configs: isRequired })}
            isDisabled={isDisabled}
          >
            Require a team
          </Checkbox>
          {fields.require_teams_on_configs && hasNone && (
            <Notice tone="warn">
              <span>
                <NoTeams>This project has no teams, so people can’t create anything that needs one.</NoTeams>
              </span>
            </Notice>
          )}
          <Checkbox
            isSelected={fields.require_owners_on_configs === true}
            onChange={(isRequired) => set({ require_owners_on_configs: isRequired })}
            isDisabled={isDisabled}
          >
            Require an owner (who can be replaced but not removed)
          </Checkbox>
        </div>
      </Section>
    </div>
  );
}
