import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { UseInCode } from "../../entity/use-in-code.tsx";
import { limitsOf } from "../../guardrails/guardrail-words.ts";
import type { LoadOperations } from "../../results/load-operations.ts";
import { unitsOfRule } from "../../results/monitored-units.ts";
import { Monitoring, MonitoringMetricsLink, type MonitoringWords } from "../../results/monitoring.tsx";
import { ResultNotes } from "../../results/result-notes.tsx";
import { useRefusal } from "../../session/account.ts";
import { Select } from "../../ui/choice.tsx";
import { Empty, Notice } from "../../ui/notice.tsx";
import { GuardrailAlerts } from "./guardrail-alerts.tsx";
import { toGuarded } from "./guardrail-words.ts";
import { Guardrails, useGuardrailBadges } from "./guardrails.tsx";
import { useGateMarks } from "./use-marks.ts";

const FROM = "/projects/$projectID/gates/$id";

const WORDS: MonitoringWords = {
  control: "Failing",
  test: "Passing",
  controlDeed: "failing",
  testDeed: "Passing",
  since: "Only users first exposed since the last change of the pass percentage count,",
  counted: unitsOfRule,
  loads: "Results refresh daily for rules that pass some users and fail others, if the gate has monitoring metrics.",
  topline: { now: "Now, from the users who passed", everybody: "If all matching users passed" },
  unseen: "Check the gate in your code.",
  noMetrics: (
    <>
      <MonitoringMetricsLink>Add monitoring metrics</MonitoringMetricsLink> in Details, then refresh the results.
    </>
  ),
};

const loadOperations = (id: string, ruleID: string): LoadOperations => ({
  list: "listGatePulseLoads",
  read: "getGatePulseLoad",
  start: "startGatePulseLoad",
  cancel: "cancelGatePulseLoad",
  path: { id, ruleID },
  request: { path: { id }, body: { ruleId: ruleID } },
  reads: ["getGatePulseResults"],
});

type Props = { gate: Schema<"Gate"> };

/** The effect of a gate's rules on the metrics that monitor it, and whether its guardrails hold. */
export default function ResultsTab({ gate }: Props) {
  const { id, rules, measureMetricLifts, monitoringMetrics, status } = gate;
  const { rule: named } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const refusal = useRefusal()("launch_or_disable_configs");
  const rule = rules.find((one) => one.id === named) ?? rules.find(isSplit) ?? rules[0];
  const ruleID = rule?.id ?? "";
  const marks = useGateMarks(id);
  const loads = useMemo(() => loadOperations(id, ruleID), [id, ruleID]);
  const badge = useGuardrailBadges(gate);
  const limits = useMemo(() => limitsOf(toGuarded(gate)), [gate]);
  const [alerts, guardrails] = [<GuardrailAlerts key="alerts" gate={gate} />, <Guardrails key="guardrails" gate={gate} />];
  if (!rule || (!measureMetricLifts && monitoringMetrics.length === 0))
    return (
      <>
        {alerts}
        {rule ? (
          <Empty title="Exposures aren’t stored">
            In Details, store exposures or <MonitoringMetricsLink>add monitoring metrics</MonitoringMetricsLink>.
          </Empty>
        ) : (
          <Empty title="No rules">Compares users who pass a rule with users who fail it.</Empty>
        )}
        {guardrails}
      </>
    );
  return (
    <>
      <div className={entity.row}>
        <Select
          label="Rule"
          options={rules.map((one) => ({ id: one.id, label: `${one.name} (passes ${one.passPercentage}%)` }))}
          value={rule.id}
          onChange={(chosen) => void navigate({ search: (known) => ({ ...known, rule: chosen }), replace: true })}
        />
      </div>
      {!isSplit(rule) && (
        <Notice>The rule passes {rule.passPercentage === 0 ? "none" : "all"} of its users, so new users can’t be compared.</Notice>
      )}
      <Monitoring
        key={rule.id}
        of="getGatePulseResults"
        path={{ id, ruleID: rule.id }}
        loads={loads}
        words={WORDS}
        disabledReason={status === "Archived" ? "The gate is archived." : refusal}
        marks={marks}
        limits={limits}
        guardrail={(metricID) => badge(metricID, rule.id) ?? badge(metricID, rule.baseID ?? rule.id)}
        alerts={alerts}
        unseenAction={<UseInCode kind="gate" id={id} />}
        details={
          <>
            <ResultNotes type="gate" id={id} />
            {guardrails}
          </>
        }
      />
    </>
  );
}

const isSplit = ({ passPercentage }: Schema<"Rule">): boolean => passPercentage > 0 && passPercentage < 100;
