import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call, invalidate, query, type Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { Section } from "../../shell/page.tsx";
import { Pager } from "../../shell/pager.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { STATUSES } from "./webhook-words.ts";

const SHOWN = 50;
const REFRESH_MS = 5_000;
const ALL = "all";
type Status = Schema<"WebhookDelivery">["status"];
const OPTIONS = [{ id: ALL, label: "All" }, ...Object.entries(STATUSES).map(([id, { name }]) => ({ id, label: name }))];

type Props = { id: string; disabledReason: string | undefined };

/** The events for a webhook, with the outcome of the last attempt at each. */
export function DeliveriesTab({ id, disabledReason }: Props) {
  const [status, setStatus] = useState<Status>();
  const [page, setPage] = useState(1);
  const [fault, setFault] = useState<unknown>();
  const { data, error } = useQuery({
    ...query("listWebhookDeliveries", { path: { id }, query: { limit: SHOWN, page, ...(status && { status }) } }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const redeliver = (deliveryID: string) =>
    call("redeliverWebhookEvent", { path: { id, deliveryID } })
      .then(() => setFault(undefined), setFault)
      .then(() => invalidate("listWebhookDeliveries"));
  const failure = fault ?? error;
  return (
    <Section title="Deliveries" description="Newest first. They’re kept for 30 days.">
      {failure != null && <Notice tone="bad">{explain(failure)}</Notice>}
      <Select
        label="Status"
        options={OPTIONS}
        value={status ?? ALL}
        onChange={(one) => {
          setStatus(one === ALL ? undefined : (one as Status));
          setPage(1);
        }}
      />
      {data?.data.length === 0 && <p className={entity.soft}>{status === undefined ? "No deliveries yet." : "No deliveries match."}</p>}
      {data !== undefined && data.data.length > 0 && (
        <div className={entity.scroll}>
          <table className={entity.table} aria-label="Deliveries">
            <thead>
              <tr>
                <th scope="col">Event</th>
                <th scope="col">Status</th>
                <th scope="col">Attempts</th>
                <th scope="col">Response</th>
                <th scope="col">Time</th>
                <th scope="col">Next attempt</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {data.data.map((one) => (
                <Row key={one.id} one={one} disabledReason={disabledReason} onRedeliver={() => void redeliver(one.id)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data !== undefined && data.pagination.totalItems > SHOWN && (
        <Pager pagination={data.pagination} noun="deliveries" onPage={setPage} />
      )}
    </Section>
  );
}

type RowProps = { one: Schema<"WebhookDelivery">; disabledReason: string | undefined; onRedeliver: () => void };

function Row({ one, disabledReason, onRedeliver }: RowProps) {
  const event = `${one.entityType}.${one.action}`;
  return (
    <tr>
      <th scope="row">
        {event}
        <div className={entity.soft}>
          <bdi>{one.entityID}</bdi>
        </div>
      </th>
      <td>
        <Badge tone={STATUSES[one.status].tone}>{STATUSES[one.status].name}</Badge>
      </td>
      <td>{one.attempts}</td>
      <td>
        {one.responseStatus}{" "}
        {one.reason !== null && one.reason !== `It answered ${one.responseStatus}.` && <div className={entity.soft}>{one.reason}</div>}
        {one.responseBody !== null && one.responseBody !== "" && <code>{one.responseBody}</code>}
      </td>
      <td>
        <Time time={one.eventTime} />
      </td>
      <td>{one.nextAttemptTime !== null && <Time time={one.nextAttemptTime} />}</td>
      <td>
        <Button look="quiet" aria-label={`Send again: ${event} ${one.entityID}`} disabledReason={disabledReason} onPress={onRedeliver}>
          Send again
        </Button>
      </td>
    </tr>
  );
}
