import type { ReactNode } from "react";
import { Section } from "../shell/page.tsx";
import type { Fault } from "../targeting/types.ts";
import { TextField } from "../ui/field.tsx";
import styles from "./entity.module.css";
import { TagsField } from "./tags-field.tsx";

type Described = { name: string; description: string; tags?: string[] };

type Props = {
  /** Without tags if it has none. */
  fields: Described;
  set: (changed: Partial<Described>) => void;
  disabledReason: string | undefined;
  faults: readonly Fault[];
  /** What cannot be edited. */
  children: ReactNode;
};

/** What an entity is called and what for, beside its facts. */
export function DetailFields({ fields: { name, description, tags }, set, disabledReason, faults, children }: Props) {
  const faultAt = (property: string) => faults.find((fault) => fault.property === property)?.message;
  const isDisabled = disabledReason !== undefined;
  return (
    <div className={styles.columns}>
      <Section title="Description">
        <div className={styles.card}>
          <TextField label="Name" value={name} onChange={(text) => set({ name: text })} error={faultAt("name")} isDisabled={isDisabled} />
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
        </div>
      </Section>
      {children}
    </div>
  );
}
