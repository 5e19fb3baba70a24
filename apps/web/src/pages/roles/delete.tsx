import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { invalidate, query, type Schema } from "../../api.ts";
import { Review } from "../../saving/review.tsx";
import { describeChanges } from "../../targeting/changes.ts";
import { Checkbox } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";

type Props = { role: Schema<"Role">; etag: string; onClose: () => void; onDeleted: () => void };

/** A role that keys have goes only when somebody says so. */
export function DeleteRole({ role, etag, onClose, onDeleted }: Props) {
  const [isForced, setForced] = useState(false);
  const { data } = useQuery(query("listUsers", { query: { includeStaleMembers: true, limit: 1000 } }));
  const holders = (data?.data ?? []).filter((member) => member.role === role.name).map(({ email }) => email);
  return (
    <Review
      title={`Delete ${role.name}?`}
      saveLabel="Delete"
      isTargeting={false}
      write={[{ operationId: "deleteRole", path: { id: role.name }, ifMatch: etag, ...(isForced && { query: { forceArchive: true } }) }]}
      inWords={(changes) => describeChanges(changes, [])}
      onClose={onClose}
      onConflict={() => {
        onClose();
        void invalidate("getRole");
      }}
      onSaved={() => {
        onDeleted();
        toast({ text: `${role.name} is deleted` });
        void invalidate("listRoles", "listUsers", "listChanges");
      }}
      choices={
        <Checkbox isSelected={isForced} onChange={setForced}>
          Delete it even if keys have it. They may then do nothing.
        </Checkbox>
      }
    >
      {holders.length > 0 && (
        <Notice tone="warn" title={holders.length === 1 ? "1 person has this role" : `${holders.length} people have this role`}>
          <bdi>{holders.join(", ")}</bdi> may then do nothing in this project until they get another role.
        </Notice>
      )}
    </Review>
  );
}
