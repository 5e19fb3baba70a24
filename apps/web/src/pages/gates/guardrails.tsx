import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { query, type Schema } from "../../api.ts";
import { explain } from "../../explain.ts";
import { GuardrailTable, REFRESH_MS } from "../../guardrails/guardrail-table.tsx";
import { Section } from "../../shell/page.tsx";
import { Empty, Loading, Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { toGuarded, toShown } from "./guardrail-words.ts";

type Props = { gate: Schema<"Gate"> };

/** Results of the last check of the gate's guardrails. */
export function Guardrails({ gate }: Props) {
  const params = useParams({ from: "/projects/$projectID/gates/$id" });
  const isGuarded = gate.monitoringMetrics.some(({ guardrail }) => guardrail !== undefined);
  const read = query("getGateGuardrails", { path: { id: gate.id } });
  const { data, error, isPending } = useQuery({ ...read, enabled: isGuarded, refetchInterval: REFRESH_MS });
  const checkedTime = data?.data.checkedTime ?? null;
  return (
    <Section
      title="Guardrails"
      description={
        isGuarded && (
          <>
            Compares users who pass a rule with users who fail it, every hour. {checkedTime === null ? "Not checked yet." : "Last checked "}
            {checkedTime !== null && <Time time={checkedTime} />}
            {checkedTime !== null && "."}
          </>
        )
      }
    >
      {!isGuarded && (
        <Empty
          title="No guardrails"
          action={
            <Link to="/projects/$projectID/gates/$id" params={params} search={(known) => ({ ...known, tab: "details" })}>
              Set a guardrail
            </Link>
          }
        >
          Get an alert, and pause automated rollouts, when a metric gets significantly worse for users who pass. Set guardrails next to the
          monitoring metrics.
        </Empty>
      )}
      {error && <Notice tone="bad">{explain(error)}</Notice>}
      {isGuarded && isPending && <Loading label="Loading guardrails" />}
      {isGuarded && data && <GuardrailTable guarded={toGuarded(gate)} checks={data.data.guardrails.map(toShown)} />}
    </Section>
  );
}
