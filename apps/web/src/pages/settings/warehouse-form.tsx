import { useState } from "react";
import { Form } from "react-aria-components";
import { type BatchRequest, type ConsoleApiError, invalidate } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain, violationsByPlace } from "../../explain.ts";
import { Review } from "../../saving/review.tsx";
import { Section } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";
import { type Connection, connectWrite, describeConnection, ENGINES, type Engine } from "./warehouse-words.ts";

const OPTIONS = (Object.keys(ENGINES) as Engine[]).map((id) => ({ id, label: ENGINES[id].name }));

type Props = {
  connection: Connection;
  etag: string;
  /** Why the person may not connect one. */
  refusal: string | undefined;
};

/** Connects a warehouse, or another one. The URL has a password: it is nowhere but in this field and in the request. */
export function ConnectWarehouse({ connection: { type }, etag, refusal }: Props) {
  const [chosen, setChosen] = useState<Engine>();
  const [url, setURL] = useState("");
  const [write, setWrite] = useState<BatchRequest>();
  const [refused, setRefused] = useState<ConsoleApiError>();
  const [isOvertaken, setOvertaken] = useState(false);
  const engine = chosen ?? type ?? "postgres";
  const { example, encrypts } = ENGINES[engine];
  const fault = violationsByPlace(refused).get(`${engine}.url`);
  const isDisabled = refusal !== undefined;
  const isEmpty = url.trim() === "";
  const review = () => {
    setRefused(undefined);
    setOvertaken(false);
    if (isDisabled || isEmpty) return;
    // The reviewed choice stays, even if someone else connects a warehouse.
    setChosen(engine);
    setWrite(connectWrite(engine, url.trim(), etag));
  };
  const saved = () => {
    setWrite(undefined);
    setURL("");
    setChosen(undefined);
    void invalidate("getWarehouseConnection", "listChanges");
    toast({ text: "Warehouse connected" });
  };
  return (
    <Section
      title={type === null ? "Connect a warehouse" : "Replace connection"}
      description="Use a database user with read access to the required tables only. People who can edit metric sources can read everything that this user can."
    >
      <Form
        className={entity.card}
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          review();
        }}
      >
        {isOvertaken && <Notice tone="warn">Someone else changed the connection. The current one is shown above.</Notice>}
        {refused !== undefined && fault === undefined && <Notice tone="bad">{explain(refused)}</Notice>}
        <Select
          label="Engine"
          options={OPTIONS}
          value={engine}
          onChange={(id) => {
            setRefused(undefined);
            setChosen(id as Engine);
          }}
          isDisabled={isDisabled}
        />
        <TextField
          label="URL"
          isCode
          autoComplete="off"
          autoCorrect="off"
          spellCheck="false"
          placeholder={example}
          value={url}
          onChange={(text) => {
            setRefused(undefined);
            setURL(text);
          }}
          description={`${encrypts} The server encrypts the URL before it stores it, and never shows it again.`}
          error={fault}
          isDisabled={isDisabled}
        />
        <p className={entity.soft}>
          The server connects only to hosts that its operator allows in <code>GATEHOUSE_WAREHOUSE_HOSTS</code>. It encrypts the URL with{" "}
          <code>GATEHOUSE_SECRET_KEY</code>. The operator sets both.
        </p>
        <div>
          <Button look="primary" type="submit" disabledReason={refusal ?? (isEmpty ? "Enter the URL first." : undefined)}>
            Review
          </Button>
        </div>
      </Form>
      {write !== undefined && (
        <Review
          title={type === null ? "Connect warehouse?" : "Replace connection?"}
          saveLabel={type === null ? "Connect" : "Replace"}
          write={[write]}
          shown={[connectWrite(engine, example, etag)]}
          inWords={describeConnection}
          isTargeting={false}
          onClose={() => setWrite(undefined)}
          onRefused={setRefused}
          onConflict={() => {
            setWrite(undefined);
            setOvertaken(true);
            void invalidate("getWarehouseConnection");
          }}
          onSaved={saved}
        />
      )}
    </Section>
  );
}
