import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { invalidate, query, type Schema } from "../../api.ts";
import { percentage } from "../../charts/format.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { useRefusal } from "../../session/account.ts";
import { Section } from "../../shell/page.tsx";
import { describeContent } from "../../targeting/changes.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Checkbox, SearchField, TextField } from "../../ui/field.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { formatNumber } from "../../ui/number-text.ts";
import { EditDialog } from "./edit-dialog.tsx";

type Attribute = Schema<"SeenAttribute">;

const ALL = { query: { limit: 1_000 } } as const;
const MAX_SHOWN_VALUES = 5;

const KINDS = { standard: "Standard", custom: "Custom", environment: "Environment" } as const satisfies Record<Attribute["kind"], string>;

/** The attributes of users, with their use. They are described and hidden here. */
export default function AttributesTab() {
  const { data, error } = useQuery(query("listAttributes", ALL));
  const [search, setSearch] = useState("");
  const [edited, setEdited] = useState<string>();
  const refusal = useRefusal()("edit_project_settings");
  const words = search.trim().toLowerCase();
  const found = data?.data.filter(({ id, description }) => `${id} ${description}`.toLowerCase().includes(words));
  return (
    <Section
      title="Attributes"
      description="User attributes that rules can test, learned from recent exposures and from rules. Values of users are shown if at least three users share them."
    >
      {error && <Notice tone="bad">{explain(error)}</Notice>}
      {!data && !error && <Loading />}
      {data && (
        <>
          <SearchField label="Search attributes" placeholder="Search attributes" value={search} onChange={setSearch} />
          {found?.length === 0 && <Empty title="No matches" />}
        </>
      )}
      {found && found.length > 0 && (
        <div className={entity.scroll}>
          <table className={entity.table} aria-label="Attributes">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Kind</th>
                <th scope="col">Type</th>
                <th scope="col">Users</th>
                <th scope="col">Rules</th>
                <th scope="col">Frequent values</th>
                <th scope="col">Description</th>
                <th scope="col">Change</th>
              </tr>
            </thead>
            <tbody>
              {found.map((attribute) => (
                <AttributeRow key={attribute.id} attribute={attribute} onEdit={setEdited} disabledReason={refusal} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {edited !== undefined && <Edit key={edited} id={edited} onClose={() => setEdited(undefined)} />}
    </Section>
  );
}

type RowProps = { attribute: Attribute; onEdit: (id: string) => void; disabledReason: string | undefined };

function AttributeRow({ attribute, onEdit, disabledReason }: RowProps) {
  const { id, kind, types, userShare, rules, values, distinctValues, description, isHidden } = attribute;
  const shown = values.slice(0, MAX_SHOWN_VALUES).map(({ value }) => value);
  return (
    <tr>
      <th scope="row">
        <bdi>{id}</bdi> {isHidden && <Badge>Hidden</Badge>}
      </th>
      <td>{KINDS[kind]}</td>
      <td>{types.join(", ")}</td>
      <td>{userShare === null ? "" : percentage(100 * userShare)}</td>
      <td>{rules}</td>
      <td>
        {shown.length > 0 ? <bdi>{shown.join(", ")}</bdi> : distinctValues > 0 && !isHidden && `${formatNumber(distinctValues)} different`}
      </td>
      <td>
        <bdi>{description}</bdi>
      </td>
      <td>
        <Button look="quiet" aria-label={`Edit ${id}`} onPress={() => onEdit(id)} disabledReason={disabledReason}>
          Edit
        </Button>
      </td>
    </tr>
  );
}

function Edit({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: answer, error, refetch } = useQuery({ ...query("getAttribute", { path: { id } }), staleTime: 0, gcTime: 0 });
  const [edits, setEdits] = useState<{ description?: string; isHidden?: boolean }>({});
  const stored = answer?.data;
  const description = edits.description ?? stored?.description ?? "";
  const isHidden = edits.isHidden ?? stored?.isHidden ?? false;
  const isChanged = stored !== undefined && (description !== stored.description || isHidden !== stored.isHidden);
  const body = { description, isHidden };
  return (
    <EditDialog
      noun="attribute"
      name={id}
      error={error}
      write={isChanged ? { operationId: "updateAttribute", path: { id }, body, ifMatch: answer?.etag ?? "" } : undefined}
      inWords={(changes) => changes.map((one) => describeContent(one))}
      onOvertaken={() => void refetch()}
      onSaved={() => void invalidate("listAttributes", "getAttribute", "listChanges")}
      onClose={onClose}
    >
      {stored && (
        <>
          <TextField label="Description" rows={3} value={description} onChange={(text) => setEdits({ ...edits, description: text })} />
          <Checkbox isSelected={isHidden} onChange={(now) => setEdits({ ...edits, isHidden: now })}>
            Hide from suggestions. Rules can still use it.
          </Checkbox>
        </>
      )}
    </EditDialog>
  );
}
