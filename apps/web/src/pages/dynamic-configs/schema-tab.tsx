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
export function SchemaTab({ draft, onChange, disabledReason }: TabProps) {
  const { schemaJson5 } = draft.fields;
  const set = (text: string | null) => onChange(setFields(draft, { schemaJson5: text }));
  if (schemaJson5 === null)
    return (
      <Empty
        title="Any object is permitted"
        action={
          <Button onPress={() => set(FIRST)} disabledReason={disabledReason}>
            Add a JSON Schema
          </Button>
        }
      >
        With a JSON Schema, nobody can save a value that applications would not understand.
      </Empty>
    );
  return (
    <Section
      title="JSON Schema"
      description="The default value and the values of all rules must satisfy it (draft 2020-12). A save that breaks it is refused."
      actions={
        <Button onPress={() => set(null)} disabledReason={disabledReason}>
          Remove the schema
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
