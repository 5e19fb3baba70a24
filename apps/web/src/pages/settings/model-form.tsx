import { useState } from "react";
import { Form } from "react-aria-components";
import { type BatchRequest, type ConsoleApiError, invalidate, type WritableSchema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain, violationsByPlace } from "../../explain.ts";
import { Review } from "../../saving/review.tsx";
import { Section } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";
import { changedFields, describeEndpoint, type Endpoint, type EndpointTexts, patchWrite, shownWrite } from "./model-words.ts";

type Props = {
  endpoint: Endpoint;
  etag: string;
  /** Why the person may not change it. */
  refusal: string | undefined;
};

/** Edits the endpoint. The API key is nowhere but in its field and in the request. */
export function EndpointForm({ endpoint, etag, refusal }: Props) {
  const [edits, setEdits] = useState<Partial<EndpointTexts>>({});
  const [body, setBody] = useState<WritableSchema<"ModelEndpointPatch">>();
  const [refused, setRefused] = useState<ConsoleApiError>();
  const [isOvertaken, setOvertaken] = useState(false);
  const texts: EndpointTexts = { url: endpoint.url ?? "", defaultModel: endpoint.defaultModel ?? "", apiKey: "", ...edits };
  const changed = changedFields(endpoint, texts);
  const faults = violationsByPlace(refused);
  const isNew = endpoint.url === null;
  const missing =
    texts.url.trim() === "" ? "Enter the base URL first." : Object.keys(changed).length === 0 ? "Change a field first." : undefined;
  const set = (fields: Partial<EndpointTexts>) => {
    setRefused(undefined);
    setEdits({ ...edits, ...fields });
  };
  const review = (fields: WritableSchema<"ModelEndpointPatch">) => {
    setRefused(undefined);
    setOvertaken(false);
    setBody(fields);
  };
  const close = () => setBody(undefined);
  const isDisabled = refusal !== undefined;
  const write = (fields: WritableSchema<"ModelEndpointPatch">): [BatchRequest] => [patchWrite(fields, etag)];
  return (
    <Section
      title={isNew ? "Connect an endpoint" : "Change endpoint"}
      description="Gatehouse sends each row of an evaluation to this endpoint. Requests are billed to the owner of the API key."
    >
      <Form
        className={entity.card}
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isDisabled && missing === undefined) review(changed);
        }}
      >
        {isOvertaken && <Notice tone="warn">Someone else changed the endpoint. The current one is shown above.</Notice>}
        {refused !== undefined && faults.size === 0 && <Notice tone="bad">{explain(refused)}</Notice>}
        <TextField
          label="Base URL"
          isCode
          autoComplete="off"
          autoCorrect="off"
          spellCheck="false"
          placeholder="https://api.openai.com/v1"
          value={texts.url}
          onChange={(url) => set({ url })}
          description="Any endpoint compatible with OpenAI’s Chat Completions API. If you change the scheme, host, or port, enter the API key again."
          error={faults.get("url")}
          isDisabled={isDisabled}
        />
        <TextField
          label="Default model"
          value={texts.defaultModel}
          onChange={(defaultModel) => set({ defaultModel })}
          description="Used for versions without a model, and for graders that ask a model."
          error={faults.get("defaultModel")}
          isDisabled={isDisabled}
        />
        <TextField
          label="API key"
          type="password"
          isCode
          // Browsers otherwise offer to save it as the person's password.
          autoComplete="new-password"
          value={texts.apiKey}
          onChange={(apiKey) => set({ apiKey })}
          description={`${endpoint.keyTime === null ? "Leave it empty if the endpoint needs none." : "Leave it empty to keep the stored one."} The server encrypts it before it stores it, and never shows it again.`}
          error={faults.get("apiKey")}
          isDisabled={isDisabled}
        />
        <p className={entity.soft}>
          The server connects only to hosts that its operator allows in <code>GATEHOUSE_MODEL_HOSTS</code>. It encrypts the key with{" "}
          <code>GATEHOUSE_SECRET_KEY</code>. The operator sets both.
        </p>
        <div className={entity.row}>
          <Button look="primary" type="submit" disabledReason={refusal ?? missing}>
            Review
          </Button>
          {endpoint.keyTime !== null && (
            <Button onPress={() => review({ apiKey: null })} disabledReason={refusal}>
              Delete API key
            </Button>
          )}
        </div>
      </Form>
      {body !== undefined && (
        <Review
          title={isNew ? "Connect model endpoint?" : body.apiKey === null ? "Delete API key?" : "Change model endpoint?"}
          saveLabel={isNew ? "Connect" : body.apiKey === null ? "Delete" : "Save"}
          write={write(body)}
          shown={[shownWrite(body, etag)]}
          inWords={describeEndpoint}
          isTargeting={false}
          onClose={close}
          onRefused={setRefused}
          onConflict={() => {
            close();
            setOvertaken(true);
            void invalidate("getModelEndpoint");
          }}
          onSaved={() => {
            close();
            setEdits({});
            void invalidate("getModelEndpoint", "listChanges");
            toast({ text: "Model endpoint saved" });
          }}
        />
      )}
    </Section>
  );
}
