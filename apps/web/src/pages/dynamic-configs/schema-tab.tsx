import { JSON_SCHEMA_SCHEMA } from "../../editor/json-schema-schema.ts";
import { Json5Field } from "../../entity/json5-field.tsx";
import { Section } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/notice.tsx";
import { setFields } from "./dynamic-config-draft.ts";
import type { TabProps } from "./tab-props.ts";

/** A first schema for objects. It allows no keys that it does not list. */
const FIRST = `{
  type: "object",
  properties: {
    // timeout: { type: "integer", minimum: 0 },
  },
}
`;

/** The JSON Schema that every value must satisfy. */
export default function SchemaTab({ draft, onChange, disabledReason }: TabProps) {
  const { schemaJson5 } = draft.fields;
  const set = (text: string | null) => onChange(setFields(draft, { schemaJson5: text }));
  if (schemaJson5 === null)
    return (
      <Empty
        title="No schema"
        action={
          <Button onPress={() => set(FIRST)} disabledReason={disabledReason}>
            Add JSON Schema
          </Button>
        }
      >
        Add a JSON Schema to block values that your app can’t read.
      </Empty>
    );
  return (
    <Section
      title="JSON Schema"
      description="The default value and all rule values must match this schema (draft 2020-12)."
      actions={
        <Button onPress={() => set(null)} disabledReason={disabledReason}>
          Remove schema
        </Button>
      }
    >
      <Json5Field
        label="JSON Schema"
        isLabelHidden
        value={schemaJson5}
        onChange={set}
        schema={JSON_SCHEMA_SCHEMA}
        isReadOnly={disabledReason !== undefined}
        hasForm={false}
      />
    </Section>
  );
}
