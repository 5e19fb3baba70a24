import { useState } from "react";
import { Form } from "react-aria-components";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { type ColumnChoice, MAX_VIEW_NAME, toViewSearch, type View, withView } from "./list-settings.ts";

const FORM = "save-view";

type Props = {
  search: object;
  columns: ColumnChoice;
  views: readonly View[];
  onSave: (views: View[]) => void;
  onClose: () => void;
};

/** Asks for the name under which the list's filters, order and columns are kept. */
export default function SaveView({ search, columns, views, onSave, onClose }: Props) {
  const [text, setText] = useState("");
  const name = text.trim();
  const isTaken = views.some((view) => view.name === name);
  return (
    <Dialog
      title="Save view"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form={FORM}>
            {isTaken ? "Replace view" : "Save view"}
          </Button>
        </>
      }
    >
      <Form
        id={FORM}
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (name === "") return;
          onSave(withView(views, { name, search: toViewSearch(search), columns }));
          onClose();
        }}
      >
        <TextField
          label="Name"
          autoFocus
          isRequired
          maxLength={MAX_VIEW_NAME}
          value={text}
          onChange={setText}
          description={isTaken ? "You have a view with this name." : "For you alone. It’s kept in this browser."}
        />
      </Form>
    </Dialog>
  );
}
