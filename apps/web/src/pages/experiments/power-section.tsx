import { useEffect, useMemo, useRef, useState } from "react";
import { call, type Schema, type WritableSchema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { numberText } from "../../results/verdicts.ts";
import { Section } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { listed } from "../../ui/list-text.ts";
import { Notice } from "../../ui/notice.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { Progress } from "../../ui/progress.tsx";
import { BaselineFields } from "./baseline-fields.tsx";
import type { Fields } from "./experiment-draft.ts";
import {
  type Baseline,
  enoughDays,
  isSameEstimate,
  keyOf,
  listMissing,
  type Need,
  type PowerChoice,
  powerRequests,
  toNeeds,
  unreachableSentence,
  whyNoPower,
} from "./power.ts";
import { PowerOfMetric } from "./power-of-metric.tsx";
import type { Experiment } from "./states.ts";

type PowerRequest = WritableSchema<"PowerRequest">;
type Computed = { request: PowerRequest; power?: Schema<"Power">; error?: unknown };

const POWERS = [70, 80, 90, 95];

type Props = {
  fields: Fields;
  experiment: Experiment;
  /** Receives how long the metrics need, as long as the computation fits the set-up. */
  onNeeds: (needs: readonly Need[]) => void;
  /** Sets the planned duration, in days. */
  onDuration: (days: number) => void;
  disabledReason: string | undefined;
};

/** How many users and days the experiment needs. It reads many events, so someone has to ask for it. */
export default function PowerSection({ fields, experiment, onNeeds, onDuration, disabledReason }: Props) {
  const [choice, setChoice] = useState<PowerChoice>({ power: 80, effect: undefined, unitsPerDay: undefined, baselines: {} });
  const [computed, setComputed] = useState<readonly Computed[]>([]);
  const running = useRef<AbortController>(undefined);
  const [isRunning, setRunning] = useState(false);
  useEffect(() => () => running.current?.abort(), []);
  const requests = powerRequests(fields, experiment, choice);
  const isComplete = computed.length > 0 && !isRunning;
  const asked = computed.map(({ request }) => request);
  const isFresh = isComplete && isSameEstimate(asked, requests);
  const needs = useMemo(
    () => (isFresh ? computed.flatMap(({ request, power }) => (power ? toNeeds(request, power) : [])) : []),
    [isFresh, computed],
  );
  const [enough, unreachable] = [enoughDays(needs), unreachableSentence(needs)];
  useEffect(() => onNeeds(needs), [needs, onNeeds]);
  const run = async () => {
    const controller = new AbortController();
    running.current = controller;
    setRunning(true);
    setComputed([]);
    // One after the other: each is a separate analysis.
    for (const request of requests) {
      const one = await answered(request, controller.signal);
      if (controller.signal.aborted) break;
      setComputed((known) => [...known, one]);
    }
    setRunning(false);
  };
  return (
    <Section
      title="Sample size and duration"
      description="How many users and days it takes to detect a change, estimated from recent traffic. Ignores the targeting gate."
      actions={
        isRunning ? (
          <Button onPress={() => running.current?.abort()}>Cancel</Button>
        ) : (
          <>
            {enough !== undefined && (
              <Button
                onPress={() => onDuration(enough)}
                disabledReason={
                  disabledReason ?? (enough === fields.duration ? `The planned duration is already ${enough} days.` : undefined)
                }
              >
                Set duration to {numberText(enough)} days
              </Button>
            )}
            <Button onPress={() => void run()} disabledReason={whyNoPower(fields)}>
              Compute
            </Button>
          </>
        )
      }
    >
      <div className={entity.row}>
        <NumberField
          label="Change to detect"
          description="Leave empty to use each metric’s expected change."
          isOptional
          value={choice.effect ?? Number.NaN}
          onChange={(effect) => setChoice({ ...choice, effect: Number.isNaN(effect) ? undefined : effect })}
          minValue={0.01}
          maxValue={1_000_000}
          decimals={2}
          unit="%"
        />
        <Select
          label="Power"
          description="Chance of detecting a real effect."
          options={POWERS.map((power) => ({ id: String(power), label: `${power}%` }))}
          value={String(choice.power)}
          onChange={(power) => setChoice({ ...choice, power: Number(power) })}
        />
        <NumberField
          label="New users per day"
          description="Leave empty to use recent traffic."
          isOptional
          value={choice.unitsPerDay ?? Number.NaN}
          onChange={(users) => setChoice({ ...choice, unitsPerDay: Number.isNaN(users) ? undefined : users })}
          minValue={0.01}
          maxValue={1_000_000_000}
          decimals={2}
        />
      </div>
      {isRunning && (
        <Progress
          label="Computing"
          value={computed.length / Math.max(1, requests.length)}
          text={`${computed.length} of ${requests.length} metrics`}
        />
      )}
      {isComplete && !isFresh && <Notice tone="warn">The setup has changed. Compute again.</Notice>}
      {unreachable !== undefined && (
        <Notice tone="warn">
          <bdi>{unreachable}</bdi>
        </Notice>
      )}
      {computed.map(({ request, power, error: unread }) => (
        <section key={keyOf(request.metric)} className={entity.card} aria-label={request.metric.name}>
          {power ? (
            <>
              <PowerOfMetric
                request={request}
                power={power}
                duration={fields.duration}
                start={experiment.scheduledStartTime ?? Date.now()}
              />
              <Missing power={power} />
              {(listMissing(power).baseline || choice.baselines[keyOf(request.metric)]) && (
                <BaselineFields
                  metric={request.metric}
                  value={choice.baselines[keyOf(request.metric)]}
                  onChange={(baseline) =>
                    setChoice({ ...choice, baselines: withBaseline(choice.baselines, keyOf(request.metric), baseline) })
                  }
                />
              )}
            </>
          ) : (
            <Notice tone="bad" title={request.metric.name}>
              {explain(unread)}
            </Notice>
          )}
        </section>
      ))}
    </Section>
  );
}

/** What to enter for an estimate. */
function Missing({ power }: { power: Schema<"Power"> }) {
  const { traffic, baseline } = listMissing(power);
  if (!traffic && !baseline) return null;
  const wanted = [...(traffic ? ["the new users per day above"] : []), ...(baseline ? ["the current values below"] : [])];
  return <Notice tone="warn">Enter {listed(wanted)}, then compute again.</Notice>;
}

function withBaseline(baselines: PowerChoice["baselines"], key: string, baseline: Baseline | undefined): PowerChoice["baselines"] {
  const others = Object.entries(baselines).filter(([name]) => name !== key);
  return Object.fromEntries(baseline === undefined ? others : [...others, [key, baseline]]);
}

async function answered(request: PowerRequest, signal: AbortSignal): Promise<Computed> {
  try {
    return { request, power: (await call("computePower", { body: request, signal })).data };
  } catch (error) {
    return { request, error };
  }
}
