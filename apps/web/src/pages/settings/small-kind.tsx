import { Plus } from "lucide-react";
import { useState } from "react";
import { invalidate } from "../../api.ts";
import { CreateEntity } from "../../entity/create-entity.tsx";
import entity from "../../entity/entity.module.css";
import { ReadBy } from "../../entity/read-by.tsx";
import { explain } from "../../explain.ts";
import { Review } from "../../saving/review.tsx";
import { useRefusal } from "../../session/account.ts";
import { Section } from "../../shell/page.tsx";
import { describeChanges } from "../../targeting/changes.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { EditDialog } from "./edit-dialog.tsx";
import { type OneProps, type SmallProps, useOne } from "./small.ts";
import { SmallHistory } from "./small-history.tsx";

/** A kind of things with a name and a description, on one page: created, changed and deleted in place. */
export function SmallKind(props: SmallProps) {
  const { noun, title, about, permissions, create, reads } = props;
  const { data, error } = props.all;
  const refusal = useRefusal();
  const [isCreating, setCreating] = useState(false);
  const [chosen, setChosen] = useState<{ id: string; what: "edit" | "delete" | "history" }>();
  const close = () => setChosen(undefined);
  const button = (
    <Button look="primary" onPress={() => setCreating(true)} disabledReason={refusal(permissions.create)}>
      <Plus aria-hidden="true" />
      Create {noun}
    </Button>
  );
  const editReason = refusal(permissions.edit);
  if (chosen?.what === "history")
    return <SmallHistory {...props} key={chosen.id} id={chosen.id} onClose={close} disabledReason={editReason} />;
  return (
    <Section title={title} description={about} actions={button}>
      {error && <Notice tone="bad">{explain(error)}</Notice>}
      {!data && !error && <Loading />}
      {data?.data.length === 0 && <Empty title={`No ${title.toLowerCase()}`} />}
      {data && data.data.length > 0 && (
        <div className={entity.scroll}>
          <table className={entity.table} aria-label={title}>
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Description</th>
                <th scope="col">Changed</th>
                <th scope="col">Change</th>
              </tr>
            </thead>
            <tbody>
              {data.data.map(({ id, name, description, lastModifiedTime }) => (
                <tr key={id}>
                  <th scope="row">
                    <bdi>{name}</bdi>
                  </th>
                  <td>
                    <bdi>{description}</bdi>
                  </td>
                  <td>
                    <Time time={lastModifiedTime} />
                  </td>
                  <td>
                    <div className={entity.row}>
                      <Button
                        look="quiet"
                        aria-label={`Edit ${name}`}
                        onPress={() => setChosen({ id, what: "edit" })}
                        disabledReason={editReason}
                      >
                        Edit
                      </Button>
                      <Button look="quiet" aria-label={`History of ${name}`} onPress={() => setChosen({ id, what: "history" })}>
                        History
                      </Button>
                      <Button
                        look="quiet"
                        aria-label={`Delete ${name}`}
                        onPress={() => setChosen({ id, what: "delete" })}
                        disabledReason={editReason}
                      >
                        Delete
                      </Button>
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <CreateEntity
        noun={noun}
        isOpen={isCreating}
        onClose={() => setCreating(false)}
        nameHint={props.isRenamed ? "Can be changed later." : "Can’t be changed later."}
        create={async (body) => {
          await create(body);
          await invalidate(...reads, "listChanges");
        }}
      />
      {chosen?.what === "edit" && <Edit {...props} key={chosen.id} id={chosen.id} onClose={close} />}
      {chosen?.what === "delete" && <Delete {...props} key={chosen.id} id={chosen.id} onClose={close} />}
    </Section>
  );
}

function Edit({ noun, read, patch, isRenamed, reads, id, onClose }: OneProps) {
  const { data: answer, error, refetch } = useOne(noun, id, read);
  const [edits, setEdits] = useState<{ name?: string; description?: string }>({});
  const stored = answer?.data;
  const changed = Object.fromEntries(
    Object.entries(edits).filter(([field, value]) => stored && value !== stored[field as "name" | "description"]),
  );
  return (
    <EditDialog
      noun={noun}
      name={stored?.name ?? id}
      error={error}
      write={Object.keys(changed).length > 0 ? patch(id, changed, answer?.etag ?? "") : undefined}
      inWords={(changes) => describeChanges(changes, [])}
      onOvertaken={() => {
        void refetch();
        void invalidate(...reads);
      }}
      onSaved={() => void invalidate(...reads, "listChanges")}
      onClose={onClose}
    >
      {stored && (
        <>
          {isRenamed && (
            <TextField label="Name" value={edits.name ?? stored.name} onChange={(name) => setEdits({ ...edits, name })} autoFocus />
          )}
          <TextField
            label="Description"
            rows={3}
            value={edits.description ?? stored.description}
            onChange={(description) => setEdits({ ...edits, description })}
          />
        </>
      )}
    </EditDialog>
  );
}

function Delete({ noun, read, remove, referencedType, reads, id, onClose }: OneProps) {
  const { data: answer, refetch } = useOne(noun, id, read);
  const [isForced, setForced] = useState(false);
  if (!answer) return null;
  const { name } = answer.data;
  return (
    <Review
      key={answer.etag}
      title={`Delete ${name}?`}
      saveLabel="Delete"
      write={[remove(id, isForced, answer.etag ?? "")]}
      inWords={(changes) => describeChanges(changes, [])}
      isTargeting={false}
      choices={
        <Checkbox isSelected={isForced} onChange={setForced}>
          Continue even if it’s in use. References to it will be broken.
        </Checkbox>
      }
      onClose={onClose}
      onConflict={() => void refetch()}
      onSaved={() => {
        onClose();
        void invalidate(...reads, "listChanges");
        toast({ text: `${name} is deleted` });
      }}
    >
      <ReadBy type={referencedType} id={id} noun={noun} />
    </Review>
  );
}
