import { Json5Field } from "../../entity/json5-field.tsx";
import { setFields } from "../../saving/draft-model.ts";
import { Section } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { addVariant, type VariantDraft } from "./autotune-draft.ts";
import styles from "./autotunes.module.css";
import { autotuneState } from "./states.ts";
import type { TabProps } from "./tab-props.ts";

/** The values among which it chooses. */
export function VariantsTab({ draft, onChange, disabledReason, faults }: TabProps) {
  const { variants } = draft.fields;
  const faultAt = (property: string) => faults.find((fault) => fault.property === property)?.message;
  const set = (changed: readonly VariantDraft[]) => onChange(setFields(draft, { variants: changed }));
  const started = autotuneState(draft.stored.entity) !== "waiting";
  const fixed = disabledReason ?? (started ? "Reset the autotune to change its variants." : undefined);
  const isDisabled = fixed !== undefined;
  return (
    <Section
      title="Variants"
      description={started ? "Reset the autotune to change its variants." : "Everyone gets the first variant until the start."}
      actions={
        <Button onPress={() => set(addVariant(variants))} disabledReason={fixed}>
          Add variant
        </Button>
      }
    >
      {variants.map((variant, index) => {
        const edit = (changed: Partial<VariantDraft>) => set(variants.map((one, at) => (at === index ? { ...one, ...changed } : one)));
        return (
          <fieldset key={variant.id ?? index} className={styles.variant}>
            <legend className={styles.legend}>
              <bdi>{variant.name}</bdi>
            </legend>
            <div className={styles.row}>
              <div className={styles.grow}>
                <TextField
                  label="Variant"
                  value={variant.name}
                  onChange={(name) => edit({ name })}
                  error={faultAt(`variants[${index}].name`)}
                  isDisabled={isDisabled}
                />
              </div>
              <Button
                look="quiet"
                onPress={() => set(variants.toSpliced(index, 1))}
                disabledReason={fixed ?? (variants.length <= 2 ? "An autotune needs at least two variants." : undefined)}
                aria-label={`Remove variant ${variant.name}`}
              >
                Remove
              </Button>
            </div>
            <Json5Field
              label={`Value of ${variant.name}`}
              value={variant.value}
              onChange={(value) => edit({ value })}
              isReadOnly={isDisabled}
            />
          </fieldset>
        );
      })}
    </Section>
  );
}
