import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Form } from "react-aria-components";
import { call, invalidate, query } from "../../api.ts";
import { explain, violationsOf } from "../../shell/explain.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";

const FORM = "create-gate";

export function CreateGate({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [idType, setIDType] = useState<string | null>(null);
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const { data: unitIDTypes } = useQuery({ ...query("listUnitIDTypes", { query: { limit: 1000 } }), enabled: isOpen });
  const navigate = useNavigate();
  const faults = violationsOf(error);
  const close = () => {
    setName("");
    setDescription("");
    setIDType(null);
    setError(undefined);
    onClose();
  };
  const send = async () => {
    setPending(true);
    setError(undefined);
    try {
      const { data } = await call("createGate", { body: { name: name.trim(), description, ...(idType !== null && { idType }) } });
      await invalidate("listGates");
      close();
      await navigate({
        to: "/projects/$projectID/gates/$id",
        from: "/projects/$projectID/gates",
        params: (params) => ({ ...params, id: data.id }),
      });
    } catch (thrown) {
      setError(thrown);
    } finally {
      setPending(false);
    }
  };
  return (
    <Dialog
      title="Create a gate"
      isOpen={isOpen}
      onClose={close}
      actions={
        <>
          <Button onPress={close}>Cancel</Button>
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
          description="Code reads the gate by its id, which is made from the name and never changes."
          error={faults.get("name") ?? faults.get("id")}
        />
        <TextField label="Description" value={description} onChange={setDescription} rows={3} error={faults.get("description")} />
        <Select
          label="Unit ID type"
          options={(unitIDTypes?.data ?? []).map((one) => ({ id: one.name, label: one.name }))}
          value={idType}
          onChange={setIDType}
          placeholder="The project's usual one"
          description="What a share of users is a share of: people, devices, companies."
          error={faults.get("idType")}
        />
        <p>The gate starts without rules, so nobody passes until you add one.</p>
      </Form>
    </Dialog>
  );
}
