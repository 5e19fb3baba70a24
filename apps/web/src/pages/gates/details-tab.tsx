import { useQuery } from "@tanstack/react-query";
import { query } from "../../api.ts";
import { Section } from "../../shell/page.tsx";
import { Chip } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ComboBox, Select } from "../../ui/choice.tsx";
import { Switch, TextField } from "../../ui/field.tsx";
import { Time } from "../../ui/time.tsx";
import styles from "./gate.module.css";
import { setFields } from "./gate-draft.ts";
import type { TabProps } from "./tab-props.ts";

export function DetailsTab({ draft, onChange, disabledReason, faults }: TabProps) {
  const { fields } = draft;
  const { gate: base } = draft.stored;
  const { data: tags } = useQuery(query("listTags", { query: { limit: 1000 } }));
  const faultAt = (property: string) => faults.find((fault) => fault.property === property)?.message;
  const set = (changed: Parameters<typeof setFields>[1]) => onChange(setFields(draft, changed));
  const isDisabled = disabledReason !== undefined;
  return (
    <div className={styles.columns}>
      <Section title="Description">
        <div className={styles.card}>
          <TextField label="Name" value={fields.name} onChange={(name) => set({ name })} error={faultAt("name")} isDisabled={isDisabled} />
          <TextField
            label="Description"
            rows={4}
            value={fields.description}
            onChange={(description) => set({ description })}
            error={faultAt("description")}
            isDisabled={isDisabled}
          />
          <div className={styles.row}>
            {fields.tags.map((tag) => (
              <span key={tag}>
                <Chip>{tag}</Chip>
                <Button
                  look="quiet"
                  isDisabled={isDisabled}
                  aria-label={`Remove tag ${tag}`}
                  onPress={() => set({ tags: fields.tags.filter((one) => one !== tag) })}
                >
                  ×
                </Button>
              </span>
            ))}
          </div>
          <ComboBox
            label="Add a tag"
            key={fields.tags.join()}
            options={(tags?.data ?? []).filter(({ name }) => !fields.tags.includes(name)).map(({ name }) => ({ id: name, label: name }))}
            value={null}
            onChange={(tag) => set({ tags: [...fields.tags, tag] })}
            isDisabled={isDisabled}
            error={faultAt("tags")}
          />
          <Select
            label="Type"
            options={[
              { id: "TEMPORARY", label: "Temporary: to be removed from the code one day" },
              { id: "PERMANENT", label: "Permanent: it stays" },
            ]}
            value={fields.type === "PERMANENT" ? "PERMANENT" : "TEMPORARY"}
            onChange={(type) => set({ type: type as "TEMPORARY" | "PERMANENT" })}
            isDisabled={isDisabled}
          />
          <Switch
            isSelected={fields.measureMetricLifts}
            onChange={(measureMetricLifts) => set({ measureMetricLifts })}
            isDisabled={isDisabled}
          >
            Keep events of partial rollouts for results
          </Switch>
        </div>
      </Section>
      <Section title="Facts">
        <dl className={styles.facts}>
          <dt>Id</dt>
          <dd>
            <code>{base.id}</code>
          </dd>
          <dt>Unit ID type</dt>
          <dd>
            <bdi>{base.idType}</bdi>
          </dd>
          <dt>Created</dt>
          <dd>
            <Time time={base.createdTime} />
            {base.creatorName !== null && (
              <>
                {" by "}
                <bdi>{base.creatorName}</bdi>
              </>
            )}
          </dd>
          <dt>Last changed</dt>
          <dd>
            <Time time={base.lastModifiedTime} />
            {base.lastModifierName !== null && (
              <>
                {" by "}
                <bdi>{base.lastModifierName}</bdi>
              </>
            )}
          </dd>
          <dt>Version</dt>
          <dd>{base.version}</dd>
          <dt>Checks in the last hour</dt>
          <dd>{new Intl.NumberFormat().format(base.checksPerHour)}</dd>
          <dt>Team</dt>
          <dd>
            <bdi>{base.team ?? "None"}</bdi>
          </dd>
          <dt>Target apps</dt>
          <dd>
            <bdi>{base.targetApps.join(", ") || "All"}</bdi>
          </dd>
        </dl>
      </Section>
    </div>
  );
}
