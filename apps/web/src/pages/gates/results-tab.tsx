import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import type { Schema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import type { LoadOperations } from "../../results/load-operations.ts";
import { unitsOfRule } from "../../results/monitored-units.ts";
import { Monitoring, type MonitoringWords } from "../../results/monitoring.tsx";
import { useRefusal } from "../../session/account.ts";
import { Select } from "../../ui/choice.tsx";
import { Empty, Notice } from "../../ui/notice.tsx";
import { GuardrailAlerts } from "./guardrail-alerts.tsx";
import { Guardrails } from "./guardrails.tsx";

const FROM = "/projects/$projectID/gates/$id";

const WORDS: MonitoringWords = {
  control: "Fail",
  test: "Pass",
  controlDeed: "failing",
  testDeed: "Passing",
  since: "Units count that saw the rule first since its pass percentage changed last,",
  counted: unitsOfRule,
  loads: "Rules that pass some units and fail others are loaded every day, if metrics monitor the gate.",
  topline: { now: "Now, by the units that passed", everybody: "If all units that meet its conditions passed" },
  noMetrics: "Name some in the gate’s details, then load the results.",
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
  return (
    <>
      <GuardrailAlerts gate={gate} />
      <Guardrails gate={gate} />
      <RuleResults gate={gate} />
    </>
  );
}

function RuleResults({ gate }: Props) {
  const { id, rules, measureMetricLifts, monitoringMetrics, status } = gate;
  const { rule: named } = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const refusal = useRefusal()("launch_or_disable_configs");
  const rule = rules.find((one) => one.id === named) ?? rules.find(isSplit) ?? rules[0];
  const ruleID = rule?.id ?? "";
  const loads = useMemo(() => loadOperations(id, ruleID), [id, ruleID]);
  if (!rule) return <Empty title="No rules">Results compare the units that a rule passes with those that it fails.</Empty>;
  if (!measureMetricLifts && monitoringMetrics.length === 0)
    return <Empty title="Units are not kept">Let the gate keep them, or name metrics that monitor it, in its details.</Empty>;
  return (
    <>
      <div className={entity.row}>
        <Select
          label="Rule"
          options={rules.map((one) => ({ id: one.id, label: `${one.name} (passes ${one.passPercentage} %)` }))}
          value={rule.id}
          onChange={(chosen) => void navigate({ search: (known) => ({ ...known, rule: chosen }), replace: true })}
        />
      </div>
      {!isSplit(rule) && (
        <Notice>
          The rule passes {rule.passPercentage === 0 ? "none" : "all"} of its units, so none can be compared with the others from now on.
        </Notice>
      )}
      <Monitoring
        key={rule.id}
        of="getGatePulseResults"
        path={{ id, ruleID: rule.id }}
        loads={loads}
        words={WORDS}
        disabledReason={status === "Archived" ? "The gate is archived." : refusal}
      />
    </>
  );
}

const isSplit = ({ passPercentage }: Schema<"Rule">): boolean => passPercentage > 0 && passPercentage < 100;
