import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { instanceQuery, invalidate, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { Review } from "../../saving/review.tsx";
import { text } from "../../targeting/parts.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";

/** Unused password resets. */
export function Resets() {
  const [revoked, setRevoked] = useState<Schema<"PasswordReset">>();
  const { data, error } = useQuery(instanceQuery("listPasswordResets", { query: { limit: 1000 } }));
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (!data) return <Loading label="Loading password resets" />;
  if (data.data.length === 0) return <Empty title="No open password resets">Create one on a person’s page if they can’t sign in.</Empty>;
  return (
    <>
      <div className={entity.scroll}>
        <table className={entity.table} aria-label="Password resets">
          <thead>
            <tr>
              <th scope="col">Email</th>
              <th scope="col">Made</th>
              <th scope="col">Expires</th>
              <th scope="col">Revoke</th>
            </tr>
          </thead>
          <tbody>
            {data.data.map((reset) => (
              <tr key={reset.personID}>
                <th scope="row">
                  <bdi>{reset.email}</bdi>
                </th>
                <td>
                  <Time time={reset.createdTime} />
                </td>
                <td>
                  <Time time={reset.expiresAt} />
                </td>
                <td>
                  <Button look="quiet" aria-label={`Revoke the password reset of ${reset.email}`} onPress={() => setRevoked(reset)}>
                    Revoke
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {revoked && (
        <Review
          title={`Revoke the password reset of ${revoked.email}?`}
          saveLabel="Revoke"
          isTargeting={false}
          write={[{ operationId: "deletePasswordReset", path: { id: revoked.personID } }]}
          inWords={() => [
            {
              entityType: "password_reset",
              entityID: revoked.email,
              title: [],
              changes: [{ kind: "removed", field: "", parts: [text("The link stops working immediately. The password isn’t changed.")] }],
            },
          ]}
          onClose={() => setRevoked(undefined)}
          onConflict={() => setRevoked(undefined)}
          onSaved={() => {
            toast({ text: `Revoked the password reset of ${revoked.email}` });
            setRevoked(undefined);
            void invalidate("listPasswordResets");
          }}
        />
      )}
    </>
  );
}
