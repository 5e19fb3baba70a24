import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call, invalidate, query } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { Review } from "../../saving/review.tsx";
import { useRefusal } from "../../session/account.ts";
import { Section } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { toast } from "../../ui/toast.tsx";
import { useCheck } from "./use-check.tsx";
import { ConnectWarehouse } from "./warehouse-form.tsx";
import { type Connection, describeConnection, ENCRYPTIONS, ENGINES } from "./warehouse-words.ts";

const NOTHING = "No warehouse is connected.";

/** The database of the project's sources, and its connection. */
export function WarehouseTab() {
  const { data: answer, error } = useQuery(query("getWarehouseConnection"));
  const refusal = useRefusal()("whn_connection");
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (!answer) return <Loading />;
  return (
    <>
      {refusal !== undefined && <Notice>{refusal}</Notice>}
      <CurrentConnection key={answer.data.version} answer={answer} refusal={refusal} />
      <ConnectWarehouse connection={answer.data} etag={answer.etag ?? ""} refusal={refusal} />
    </>
  );
}

type Props = { answer: Answer<"getWarehouseConnection">; refusal: string | undefined };

function CurrentConnection({ answer: { data: connection, etag }, refusal }: Props) {
  const [isLeaving, setLeaving] = useState(false);
  const isConnected = connection.type !== null;
  const { result, isPending, check } = useCheck(
    "Connection",
    async () => (await call("checkWarehouseConnection")).data,
    ({ server }) => `It is ${server}.`,
  );
  const disabledReason = refusal ?? (isConnected ? undefined : NOTHING);
  return (
    <Section
      title="Warehouse"
      description="Your own database. Results updates, previews, and ingestion runs read from it."
      actions={
        <>
          <Button onPress={check} isPending={isPending} disabledReason={disabledReason}>
            Check connection
          </Button>
          <Button look="danger" onPress={() => setLeaving(true)} disabledReason={disabledReason}>
            Disconnect
          </Button>
        </>
      }
    >
      {isConnected ? (
        <Facts of={connection} />
      ) : (
        <Empty title="No warehouse yet">Connect one to use metric sources, assignment sources and ingestion.</Empty>
      )}
      {isPending && <Loading label="Connecting" />}
      {result}
      {isLeaving && (
        <Review
          title="Disconnect warehouse?"
          saveLabel="Disconnect"
          write={[{ operationId: "deleteWarehouseConnection", ...(etag !== undefined && { ifMatch: etag }) }]}
          inWords={describeConnection}
          isTargeting={false}
          onClose={() => setLeaving(false)}
          onConflict={() => {
            setLeaving(false);
            void invalidate("getWarehouseConnection");
          }}
          onSaved={() => {
            setLeaving(false);
            void invalidate("getWarehouseConnection", "listChanges");
            toast({ text: "Warehouse disconnected" });
          }}
        >
          <p>
            Deletes the stored URL. Metrics with a metric source keep their last results, and later results updates fail for them. Your
            warehouse isn’t changed.
          </p>
        </Review>
      )}
    </Section>
  );
}

function Facts({ of: { type, host, port, database, username, encryption, credentialsTime } }: { of: Connection }) {
  return (
    <dl className={entity.facts}>
      <dt>Engine</dt>
      <dd>{type && ENGINES[type].name}</dd>
      <dt>Host</dt>
      <dd>
        <bdi>{host}</bdi>
      </dd>
      <dt>Port</dt>
      <dd>{port}</dd>
      <dt>Database</dt>
      <dd>
        <bdi>{database}</bdi>
      </dd>
      <dt>User</dt>
      <dd>
        <bdi>{username}</bdi>
      </dd>
      <dt>Encryption</dt>
      <dd>{encryption && ENCRYPTIONS[encryption]}</dd>
      <dt>Credentials set</dt>
      <dd>{credentialsTime !== null && <Time time={credentialsTime} />}</dd>
    </dl>
  );
}
