import { Json5Field } from "../entity/json5-field.tsx";
import type { RuleItem } from "../targeting/rule-draft.ts";
import { toPercentage } from "../targeting/rule-draft.ts";
import { addVariant, removeVariant, setValue, setVariant, textOfValue, withText } from "../targeting/values.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { NumberField } from "../ui/number-field.tsx";
import type { EditRules } from "./edits.ts";
import styles from "./rules.module.css";

type Props = { item: RuleItem; edit: EditRules; schema: string | null; faultAt: (property: string) => string | undefined };

/** The value for users who pass: one value, or one of several variants. */
export default function ValueEditor({ item: { key, rule }, edit, schema, faultAt }: Props) {
  const variants = rule.variants ?? [];
  const add = (
    <Button onPress={() => edit((draft) => addVariant(draft, key))}>{variants.length === 0 ? "Split into variants" : "Add variant"}</Button>
  );
  if (variants.length === 0)
    return (
      <fieldset className={styles.conditions}>
        <legend className={styles.legend}>Returned value</legend>
        <Json5Field
          label={`Value of ${rule.name}`}
          value={textOfValue(rule)}
          onChange={(text) => edit((draft) => setValue(draft, key, text))}
          schema={schema}
          isReadOnly={false}
        />
        <div>{add}</div>
      </fieldset>
    );
  return (
    <fieldset className={styles.conditions}>
      <legend className={styles.legend}>Returned variants</legend>
      {faultAt("variants") !== undefined && <span className={styles.fault}>{faultAt("variants")}</span>}
      {variants.map((variant, at) => (
        <fieldset key={variant.id ?? at} className={styles.variant}>
          <legend className={styles.hiddenLegend}>Variant {variant.name}</legend>
          <div className={styles.row}>
            <div className={styles.grow}>
              <TextField
                label="Variant"
                value={variant.name}
                onChange={(name) => edit((draft) => setVariant(draft, key, at, (one) => ({ ...one, name })))}
                error={faultAt(`variants[${at}].name`)}
              />
            </div>
            <NumberField
              label="Share of passing users"
              value={variant.passPercentage}
              onChange={(share) => edit((draft) => setVariant(draft, key, at, (one) => ({ ...one, passPercentage: toPercentage(share) })))}
              minValue={0}
              maxValue={100}
              step={0.01}
              unit="%"
              error={faultAt(`variants[${at}].passPercentage`)}
            />
            <Button
              look="quiet"
              onPress={() => edit((draft) => removeVariant(draft, key, at))}
              aria-label={`Remove variant ${variant.name}`}
            >
              Remove
            </Button>
          </div>
          <Json5Field
            label={`Value of ${variant.name}`}
            value={textOfValue(variant)}
            onChange={(text) => edit((draft) => setVariant(draft, key, at, (one) => withText(one, text)))}
            schema={schema}
            isReadOnly={false}
          />
        </fieldset>
      ))}
      <div>{add}</div>
    </fieldset>
  );
}
