import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Form } from "react-aria-components";
import { query } from "../api.ts";
import { explain, violationsByPlace } from "../explain.ts";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/choice.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";

const FORM = "create-entity";

export type NewEntity = { name: string; description: string; idType?: string };

type Props = {
  /** What is created: gate. */
  noun: string;
  isOpen: boolean;
  onClose: () => void;
  /** Creates it, and leads to its page. */
  create: (entity: NewEntity) => Promise<unknown>;
  /** How code names it. */
  nameHint?: ReactNode;
  /** Whether it divides units, of a type that is chosen here. */
  hasIDType?: boolean;
  hasDescription?: boolean;
  /** Further fields. They get what the server refused by field. */
  fields?: (faultAt: (field: string) => string | undefined) => ReactNode;
  /** What it is like at first. */
  children?: ReactNode;
};

const ID_HINT = "Code reads it by its id, which is made from the name and never changes.";

/** Asks for what a new entity needs. All else is edited on its page. */
export function CreateEntity(props: Props) {
  // Closed, it forgets what was typed.
  return props.isOpen ? <CreateDialog {...props} /> : null;
}

function CreateDialog({
  noun,
  isOpen,
  onClose,
  create,
  nameHint = ID_HINT,
  hasIDType = false,
  hasDescription = true,
  fields,
  children,
}: Props) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [idType, setIDType] = useState<string | null>(null);
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const { data: unitIDTypes } = useQuery({ ...query("listUnitIDTypes", { query: { limit: 1000 } }), enabled: hasIDType });
  const faults = violationsByPlace(error);
  const send = async () => {
    setPending(true);
    setError(undefined);
    try {
      await create({ name: name.trim(), description, ...(idType !== null && { idType }) });
      onClose();
    } catch (thrown) {
      setError(thrown);
      setPending(false);
    }
  };
  return (
    <Dialog
      title={`Create ${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={FORM} isPending={isPending}>
            Create
          </Button>
        </>
      }
    >
      <Form
        id={FORM}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
        className="stack"
      >
        {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
        <TextField
          label="Name"
          name="name"
          autoFocus
          isRequired
          value={name}
          onChange={setName}
          description={nameHint}
          error={faults.get("name") ?? faults.get("id") ?? faults.get("source_name")}
        />
        {hasDescription && (
          <TextField label="Description" value={description} onChange={setDescription} rows={3} error={faults.get("description")} />
        )}
        {hasIDType && (
          <Select
            label="Unit ID type"
            options={(unitIDTypes?.data ?? []).map((one) => ({ id: one.name, label: one.name }))}
            value={idType}
            onChange={setIDType}
            placeholder="The project's usual one"
            description="What a share of users is a share of: people, devices, companies."
            error={faults.get("idType")}
          />
        )}
        {fields?.((field) => faults.get(field))}
        {children !== undefined && <p>{children}</p>}
      </Form>
    </Dialog>
  );
}
