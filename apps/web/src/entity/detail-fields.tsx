import type { ReactNode } from "react";
import { Section } from "../shell/page.tsx";
import type { Owner } from "../targeting/owner-fields.ts";
import type { ReviewSettings } from "../targeting/review-settings.ts";
import { toTeamFields } from "../targeting/team-fields.ts";
import type { Fault } from "../targeting/types.ts";
import { TextField } from "../ui/field.tsx";
import styles from "./entity.module.css";
import { OwnerField } from "./owner-field.tsx";
import { ReviewSettingsField } from "./review-settings-field.tsx";
import { TagsField } from "./tags-field.tsx";
import { TeamField } from "./team-field.tsx";

type Described = {
  name?: string;
  description: string;
  tags?: string[];
  team?: string | null;
  teamID?: string | null;
  owner?: Owner;
  reviewSettings?: ReviewSettings;
};

type Props = {
  /** Without a name, tags, a team, an owner or settings of reviews if it can have none. */
  fields: Described;
  set: (changed: Partial<Described>) => void;
  disabledReason: string | undefined;
  faults: readonly Fault[];
  /** Fields that only some kinds have. */
  further?: ReactNode;
  /** Facts that cannot be edited. */
  children: ReactNode;
};

/** The name and purpose of an entity, beside its facts. */
export function DetailFields({ fields, set, disabledReason, faults, further, children }: Props) {
  const { name, description, tags, team, teamID, owner, reviewSettings } = fields;
  const faultAt = (property: string) => faults.find((fault) => fault.property === property)?.message;
  const isDisabled = disabledReason !== undefined;
  return (
    <div className={styles.columns}>
      <Section title="Description">
        <div className={styles.card}>
          {name !== undefined && (
            <TextField label="Name" value={name} onChange={(text) => set({ name: text })} error={faultAt("name")} isDisabled={isDisabled} />
          )}
          <TextField
            label="Description"
            rows={4}
            value={description}
            onChange={(text) => set({ description: text })}
            error={faultAt("description")}
            isDisabled={isDisabled}
          />
          {tags !== undefined && (
            <TagsField tags={tags} onChange={(chosen) => set({ tags: chosen })} isDisabled={isDisabled} error={faultAt("tags")} />
          )}
          {team !== undefined && (
            <TeamField
              value={toTeamFields({ team, ...(teamID !== undefined && { teamID }) })}
              onChange={set}
              isDisabled={isDisabled}
              error={faultAt("teamID") ?? faultAt("team")}
            />
          )}
          {owner !== undefined && <OwnerField value={owner} onChange={set} isDisabled={isDisabled} error={faultAt("owner")} />}
          {reviewSettings !== undefined && (
            <ReviewSettingsField value={reviewSettings} onChange={set} isDisabled={isDisabled} error={faultAt("reviewSettings")} />
          )}
          {further}
        </div>
      </Section>
      {children}
    </div>
  );
}
