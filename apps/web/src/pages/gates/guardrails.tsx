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
            Once an hour the server compares the units that pass a rule with those that fail it.{" "}
            {checkedTime === null ? "Not checked yet." : "Last checked "}
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
              Set one in the details
            </Link>
          }
        >
          A guardrail says how much worse a metric may get for the units that pass. An alert is raised once more harm is certain, and can
          pause the gate’s automated rollouts. Set it where the monitoring metrics are named.
        </Empty>
      )}
      {error && <Notice tone="bad">{explain(error)}</Notice>}
      {isGuarded && isPending && <Loading label="Reading the guardrails" />}
      {isGuarded && data && <GuardrailTable guarded={toGuarded(gate)} checks={data.data.guardrails.map(toShown)} />}
    </Section>
  );
}
