import { useState } from "react";
import { call, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { Section } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Snippet } from "../../ui/copy.tsx";
import { Notice } from "../../ui/notice.tsx";

type State = { secret?: string | null; test?: Schema<"WebhookTest">; error?: unknown };

type Props = { id: string; isSigned: boolean; hasDraft: boolean };

/** The secret of a webhook whose signatures are checked, shown on demand, and a test of the saved webhook. */
export function SecretSection({ id, isSigned, hasDraft }: Props) {
  const [{ secret, test, error }, setState] = useState<State>({});
  const [isPending, setPending] = useState(false);
  const run = (read: () => Promise<State>) => {
    setPending(true);
    read()
      .catch((thrown: unknown): State => ({ error: thrown }))
      .then((read) => setState((before) => ({ ...before, error: undefined, ...read })))
      .finally(() => setPending(false));
  };
  return (
    <Section title={isSigned ? "Secret and test" : "Test"}>
      <div className={entity.card}>
        {!isSigned ? null : secret === undefined ? (
          <Button
            isDisabled={isPending}
            onPress={() => run(async () => ({ secret: (await call("getWebhookSecret", { path: { id } })).data.secret }))}
          >
            Show secret
          </Button>
        ) : secret === null ? (
          <Notice tone="warn">The server has no GATEHOUSE_SECRET_KEY, so it can’t sign messages.</Notice>
        ) : (
          <Snippet text={secret} label="Secret" />
        )}
        <Button
          isDisabled={isPending}
          disabledReason={hasDraft ? "Save your changes first." : undefined}
          onPress={() => run(async () => ({ test: (await call("testWebhook", { path: { id } })).data }))}
        >
          Send test event
        </Button>
        {test !== undefined && (
          <Notice tone={test.isDelivered ? "good" : "bad"}>
            {test.isDelivered ? `Delivered. The URL answered ${test.responseStatus}.` : `Not delivered. ${test.reason}`} Tests aren’t listed
            under Deliveries.
            {test.responseBody !== null && test.responseBody !== "" && (
              <>
                {" "}
                <code>{test.responseBody}</code>
              </>
            )}
          </Notice>
        )}
        {error !== undefined && <Notice tone="bad">{explain(error)}</Notice>}
      </div>
    </Section>
  );
}
