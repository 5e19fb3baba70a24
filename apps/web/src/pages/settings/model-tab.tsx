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
import { EndpointForm } from "./model-form.tsx";
import { describeEndpoint, type Endpoint } from "./model-words.ts";
import { useCheck } from "./use-check.tsx";

/** The endpoint at which evaluations of prompts ask models. */
export default function ModelTab() {
  const { data: answer, error } = useQuery(query("getModelEndpoint"));
  const refusal = useRefusal()("integrations_edit_access");
  if (error) return <Notice tone="bad">{explain(error)}</Notice>;
  if (!answer) return <Loading />;
  return (
    <>
      {refusal !== undefined && <Notice>{refusal}</Notice>}
      <CurrentEndpoint key={answer.data.version} answer={answer} refusal={refusal} />
      <EndpointForm endpoint={answer.data} etag={answer.etag ?? ""} refusal={refusal} />
    </>
  );
}

type Props = { answer: Answer<"getModelEndpoint">; refusal: string | undefined };

function CurrentEndpoint({ answer: { data: endpoint, etag }, refusal }: Props) {
  const [isLeaving, setLeaving] = useState(false);
  const { result, isPending, check } = useCheck(
    "Endpoint",
    async () => (await call("checkModelEndpoint")).data,
    ({ model }) => `The model ${model} answered.`,
  );
  const disabledReason = refusal ?? (endpoint.url === null ? "No endpoint is connected." : undefined);
  return (
    <Section
      title="Model endpoint"
      description="Prompt evaluations send requests to this endpoint."
      actions={
        <>
          <Button onPress={check} isPending={isPending} disabledReason={disabledReason}>
            Check endpoint
          </Button>
          <Button look="danger" onPress={() => setLeaving(true)} disabledReason={disabledReason}>
            Disconnect
          </Button>
        </>
      }
    >
      {endpoint.url === null ? (
        <Empty title="No model endpoint yet">Connect one to evaluate versions of prompts.</Empty>
      ) : (
        <EndpointFacts of={endpoint} />
      )}
      {isPending && <Loading label="Checking the endpoint" />}
      {result}
      {isLeaving && (
        <Review
          title="Disconnect model endpoint?"
          saveLabel="Disconnect"
          write={[{ operationId: "deleteModelEndpoint", ...(etag !== undefined && { ifMatch: etag }) }]}
          inWords={describeEndpoint}
          isTargeting={false}
          onClose={() => setLeaving(false)}
          onConflict={() => {
            setLeaving(false);
            void invalidate("getModelEndpoint");
          }}
          onSaved={() => {
            setLeaving(false);
            void invalidate("getModelEndpoint", "listChanges");
            toast({ text: "Model endpoint disconnected" });
          }}
        >
          <p>Deletes the URL and the API key. Evaluations that haven’t finished will fail. Earlier scores are kept.</p>
        </Review>
      )}
    </Section>
  );
}

function EndpointFacts({ of: { url, defaultModel, keyTime } }: { of: Endpoint }) {
  return (
    <dl className={entity.facts}>
      <dt>Base URL</dt>
      <dd>
        <bdi>{url}</bdi>
      </dd>
      <dt>Default model</dt>
      <dd>
        <bdi>{defaultModel ?? "None"}</bdi>
      </dd>
      <dt>API key set</dt>
      <dd>{keyTime === null ? "No" : <Time time={keyTime} />}</dd>
    </dl>
  );
}
