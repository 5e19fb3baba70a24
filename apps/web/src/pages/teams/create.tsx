import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Form } from "react-aria-components";
import { call, invalidate } from "../../api.ts";
import { explain, violationsOf } from "../../shell/explain.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";

const FORM = "create-team";

export function CreateTeam({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [error, setError] = useState<unknown>();
  const [isPending, setPending] = useState(false);
  const navigate = useNavigate();
  const faults = violationsOf(error);
  const send = async () => {
    setPending(true);
    setError(undefined);
    try {
      const { data } = await call("createTeam", { body: { name: name.trim(), description } });
      await invalidate("listTeams", "listChanges");
      onClose();
      await navigate({
        to: "/projects/$projectID/teams/$id",
        from: "/projects/$projectID/teams",
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
      title="Create a team"
      isOpen
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
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
        <TextField label="Name" name="name" autoFocus isRequired value={name} onChange={setName} error={faults.get("name")} />
        <TextField label="Description" value={description} onChange={setDescription} rows={3} error={faults.get("description")} />
      </Form>
    </Dialog>
  );
}
