import { useEffect, useRef, useState } from "react";
import { call, type Schema, type WritableSchema } from "../../api.ts";
import entity from "../../entity/entity.module.css";
import { explain } from "../../explain.ts";
import { Section } from "../../shell/page.tsx";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/choice.tsx";
import { Notice } from "../../ui/notice.tsx";
import { NumberField } from "../../ui/number-field.tsx";
import { Progress } from "../../ui/progress.tsx";
import type { Fields } from "./experiment-draft.ts";
import { isTooYoung, type Need, type PowerChoice, powerRequests, toNeeds, whyNoPower } from "./power.ts";
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
};

/** The effect that the experiment would find, by its duration. It reads many events, so someone has to ask for it. */
export default function PowerSection({ fields, experiment, onNeeds }: Props) {
  const [choice, setChoice] = useState<PowerChoice>({ power: 80, effect: undefined });
  const [computed, setComputed] = useState<readonly Computed[]>([]);
  const running = useRef<AbortController>(undefined);
  const [isRunning, setRunning] = useState(false);
  useEffect(() => () => running.current?.abort(), []);
  const requests = powerRequests(fields, experiment, choice);
  const isComplete = computed.length > 0 && !isRunning;
  const isFresh = isComplete && JSON.stringify(computed.map(({ request }) => request)) === JSON.stringify(requests);
  useEffect(() => {
    onNeeds(isFresh ? computed.flatMap(({ request, power }) => (power ? toNeeds(request, power) : [])) : []);
  }, [isFresh, computed, onNeeds]);
  const run = async () => {
    const controller = new AbortController();
    running.current = controller;
    setRunning(true);
    setComputed([]);
    // One after the other: each is a separate analysis.
    for (const request of requests) {
      const one = await answered(request, fields.duration, controller.signal);
      if (controller.signal.aborted) break;
      setComputed((known) => [...known, one]);
    }
    setRunning(false);
  };
  return (
    <Section
      title="Sample size and duration"
      description="Estimated from recent traffic. Ignores the targeting gate."
      actions={
        isRunning ? (
          <Button onPress={() => running.current?.abort()}>Cancel</Button>
        ) : (
          <Button onPress={() => void run()} disabledReason={whyNoPower(fields)}>
            Compute
          </Button>
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
      </div>
      {isRunning && (
        <Progress
          label="Computing"
          value={computed.length / Math.max(1, requests.length)}
          text={`${computed.length} of ${requests.length} metrics`}
        />
      )}
      {isComplete && !isFresh && <Notice tone="warn">The setup has changed. Compute again.</Notice>}
      {computed.map(({ request, power, error: unread }) => (
        <section key={`${request.metric.name}::${request.metric.type}`} className={entity.card} aria-label={request.metric.name}>
          {power ? (
            <PowerOfMetric metric={request.metric.name} power={power} effect={request.effect} duration={fields.duration} />
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

/** A project that is younger than the days asked for has no units on the planned day: then the planned days alone are asked for. */
async function answered(request: PowerRequest, duration: number, signal: AbortSignal): Promise<Computed> {
  const computed = async (body: PowerRequest) => (await call("computePower", { body, signal })).data;
  try {
    const power = await computed(request);
    return { request, power: isTooYoung(power, duration) ? await computed({ ...request, days: Math.ceil(duration) }) : power };
  } catch (error) {
    return { request, error };
  }
}
