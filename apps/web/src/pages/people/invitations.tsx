import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { invalidate, query, type Schema } from "../../api.ts";
import { explain } from "../../explain.ts";
import { Review } from "../../saving/review.tsx";
import type { Change } from "../../targeting/change.ts";
import { describeChanges } from "../../targeting/changes.ts";
import { subject, text } from "../../targeting/parts.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { moment } from "../../ui/time-text.ts";
import { toast } from "../../ui/toast.tsx";
import styles from "./people.module.css";

type Invitation = Schema<"Invitation">;

/** The unused invitations of the project. */
export const invitationsRequest = { query: { limit: 1_000 } };

const LOSS: Change = { kind: "removed", field: "", parts: [text("No longer a member")] };

/** Unused invitations. */
export function Invitations({ refusal }: { refusal: string | undefined }) {
  const [revoking, setRevoking] = useState<Invitation>();
  const { data, error } = useQuery({ ...query("listInvitations", invitationsRequest), enabled: refusal === undefined });
  if (refusal !== undefined) return <Notice>{refusal}</Notice>;
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (!data) return <Loading label="Loading invitations" />;
  if (data.data.length === 0) return <Empty title="No pending invitations">Invite people to share this project.</Empty>;
  return (
    <>
      <ul className={styles.list} aria-label="Invitations">
        {data.data.map((invitation) => (
          <li key={invitation.id}>
            <span className={styles.name}>
              <bdi>{invitation.email}</bdi>
              <span>
                {invitation.role}, invited <Time time={invitation.createdTime} />, the link works until {moment(invitation.expiresAt)}
              </span>
            </span>
            <Button onPress={() => setRevoking(invitation)} aria-label={`Revoke the invitation of ${invitation.email}`}>
              Revoke
            </Button>
          </li>
        ))}
      </ul>
      <p className={styles.soft}>Lost a link? Invite the person again to replace it.</p>
      {revoking && (
        <Review
          title={`Revoke the invitation of ${revoking.email}?`}
          saveLabel="Revoke"
          isTargeting={false}
          write={[{ operationId: "deleteInvitation", path: { id: revoking.id } }]}
          inWords={(changes) => [
            {
              entityType: "invitation",
              entityID: revoking.email,
              title: [],
              changes: [{ kind: "removed", field: "", parts: [text("The link stops working immediately.")] }],
            },
            ...changes
              .filter(({ entityType }) => entityType === "member")
              .map(({ entityType, entityID }) => ({ entityType, entityID, title: [subject(revoking.email)], changes: [LOSS] })),
            ...describeChanges(
              changes.filter(({ entityType }) => entityType !== "member"),
              [],
            ),
          ]}
          onClose={() => setRevoking(undefined)}
          onConflict={() => setRevoking(undefined)}
          onSaved={() => {
            toast({ text: `Revoked the invitation of ${revoking.email}` });
            setRevoking(undefined);
            void invalidate("listInvitations", "listUsers", "listChanges");
          }}
        />
      )}
    </>
  );
}
