import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "react-aria-components";
import { query } from "../api.ts";
import entity from "../entity/entity.module.css";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/choice.tsx";
import { TextField } from "../ui/field.tsx";
import { propertyField } from "./property-field.ts";

/** Chooses a column of an entity property source as a dimension. Hidden as long as the project has no such source. */
export function PropertyChoice({ onChoose }: { onChoose: (dimension: string) => void }) {
  const { data } = useQuery(query("listEntityPropertySources", { query: { limit: 1000 } }));
  const names = (data?.data ?? []).map(({ name }) => name);
  const [given, setGiven] = useState<{ source?: string; column: string }>({ column: "" });
  const source = given.source ?? names[0];
  if (source === undefined) return null;
  return (
    <Form
      className={entity.row ?? ""}
      onSubmit={(event) => {
        event.preventDefault();
        if (given.column !== "") onChoose(propertyField(source, given.column));
      }}
    >
      <Select
        label="Or user properties from"
        options={names.map((name) => ({ id: name, label: name }))}
        value={source}
        onChange={(chosen) => setGiven({ ...given, source: chosen })}
      />
      <TextField label="Column" isCode value={given.column} onChange={(column) => setGiven({ ...given, column })} />
      <Button type="submit">Break down</Button>
    </Form>
  );
}
