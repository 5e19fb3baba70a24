import type { EditProps } from "../../entity/entity-page.tsx";
import { useProject, usePublishing } from "../../session/account.ts";
import { PERMISSION_GROUPS, type PermissionName } from "../../session/permissions.ts";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { Section } from "../../shell/page.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { type RoleDraft, setPermission, setPublishesIn } from "./role-draft.ts";
import styles from "./roles.module.css";

/** Where the role publishes, and what it permits. Permissions without an effect are left out and stay as they are. */
export function PermissionsTab(props: EditProps<RoleDraft>) {
  const { draft, onChange, disabledReason } = props;
  const { permissions: mine } = useProject();
  const item = (name: PermissionName, words: string) => (
    <li key={name}>
      <Checkbox
        isSelected={draft.permissions[name] === true}
        onChange={(isGiven) => onChange(setPermission(draft, name, isGiven))}
        isDisabled={disabledReason !== undefined || (mine[name] !== true && draft.permissions[name] !== true)}
      >
        <span className={styles.permission}>
          {words}
          {disabledReason === undefined && mine[name] !== true && <span className={styles.soft}>You don’t have this permission.</span>}
        </span>
      </Checkbox>
    </li>
  );
  return (
    <>
      <PublishesIn {...props} />
      {PERMISSION_GROUPS.map(({ name, permissions }) => (
        <Section key={name} title={name}>
          <ul className={styles.permissions}>
            {(Object.entries(permissions) as [PermissionName, string][]).map(([one, words]) => item(one, words))}
          </ul>
        </Section>
      ))}
    </>
  );
}

function PublishesIn({ draft, onChange, disabledReason }: EditProps<RoleDraft>) {
  const names = useEnvironmentNames();
  const publishes = usePublishing();
  const { publishesIn: mine } = useProject();
  const chosen = draft.publishesIn;
  const isLocked = disabledReason !== undefined;
  return (
    <Section
      title="Publishes in"
      description="The environments where people and keys with this role can change what users get. Elsewhere, they can request a review."
    >
      <ul className={styles.permissions}>
        <li>
          <Checkbox
            isSelected={chosen === null}
            onChange={(isEvery) => onChange(setPublishesIn(draft, isEvery ? null : names.filter(publishes)))}
            isDisabled={isLocked || (mine !== null && chosen !== null)}
          >
            All environments (including new ones)
          </Checkbox>
        </li>
        {chosen !== null &&
          names.map((name) => (
            <li key={name}>
              <Checkbox
                isSelected={chosen.includes(name)}
                onChange={(isChosen) =>
                  onChange(
                    setPublishesIn(
                      draft,
                      names.filter((one) => (one === name ? isChosen : chosen.includes(one))),
                    ),
                  )
                }
                isDisabled={isLocked || (!publishes(name) && !chosen.includes(name))}
              >
                <span className={styles.permission}>
                  <bdi>{name}</bdi>
                  {!isLocked && !publishes(name) && <span className={styles.soft}>You don’t publish in this environment.</span>}
                </span>
              </Checkbox>
            </li>
          ))}
      </ul>
    </Section>
  );
}
