import { MoreHorizontal, Plus } from "lucide-react";
import { Suspense, useState } from "react";
import entity from "../../entity/entity.module.css";
import type { EditProps } from "../../entity/entity-page.tsx";
import { Facts } from "../../entity/facts.tsx";
import { OwnerField } from "../../entity/owner-field.tsx";
import { TeamField } from "../../entity/team-field.tsx";
import { Sentences, Soft, Timeline, TimelineStep } from "../../releases/timeline.tsx";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { Section } from "../../shell/page.tsx";
import { text } from "../../targeting/parts.ts";
import { audienceOf, startText } from "../../targeting/phases.ts";
import { toRules } from "../../targeting/rule-draft.ts";
import type { Fault } from "../../targeting/types.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { listed } from "../../ui/list-text.ts";
import { Menu } from "../../ui/menu.tsx";
import { Empty } from "../../ui/notice.tsx";
import { soon } from "../../ui/soon.tsx";
import { durationInWords } from "../../ui/time-text.ts";
import { addPhase, movePhase, type PhaseDraft } from "./phase-draft.ts";
import type { PipelineDraft } from "./pipeline-draft.ts";
import styles from "./release-pipelines.module.css";

const PhaseEditor = soon(() => import("./phase-editor.tsx"));

/** The phases as a timeline, each with its editor, and the name, team and owner of the pipeline. */
export function PhasesTab({ draft, onChange, disabledReason, faults }: EditProps<PipelineDraft>) {
  const { name, phases, team, teamID, owner, stored } = draft;
  const at = (...properties: string[]) => ({
    error: faults.find(({ property }) => properties.includes(property))?.message,
    isDisabled: disabledReason !== undefined,
  });
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const set = (changed: readonly PhaseDraft[]) => onChange({ ...draft, phases: changed });
  const toggle = (key: string) => setOpen(new Set(open.has(key) ? [...open].filter((one) => one !== key) : [...open, key]));
  const add = () => {
    const added = addPhase(phases);
    set(added);
    setOpen(new Set([...open, added.at(-1)?.key ?? ""]));
  };
  const button = (
    <Button onPress={add} disabledReason={disabledReason}>
      <Plus aria-hidden="true" />
      Add phase
    </Button>
  );
  const last = phases.at(-1);
  return (
    <>
      <Section title="Phases" description="Each phase adds users. After the last phase, everyone gets the change.">
        {phases.length === 0 ? (
          <Empty title="No phases" action={button}>
            Changes reach everyone at once until you add a phase.
          </Empty>
        ) : (
          <>
            <Timeline label="Phases">
              {phases.map((phase, index) => (
                <PhaseStep
                  key={phase.key}
                  {...{ phase, phases, index, faults, disabledReason }}
                  isOpen={open.has(phase.key) && disabledReason === undefined}
                  onToggle={() => toggle(phase.key)}
                  onChange={set}
                />
              ))}
              <TimelineStep
                title="Everyone"
                beside={
                  <Soft>
                    {last !== undefined && (last.timeIntervalMs === 0 ? "at once" : `after ${durationInWords(last.timeIntervalMs)}`)}
                  </Soft>
                }
              />
            </Timeline>
            <div>{button}</div>
          </>
        )}
      </Section>
      <div className={entity.columns}>
        <Section title="Details">
          <div className={entity.card}>
            <TextField label="Name" value={name} onChange={(typed) => onChange({ ...draft, name: typed })} {...at("name")} />
            <TeamField value={{ team, teamID }} onChange={(changed) => onChange({ ...draft, ...changed })} {...at("teamID", "team")} />
            <OwnerField value={owner} onChange={(changed) => onChange({ ...draft, ...changed })} {...at("owner")} />
          </div>
        </Section>
        <Facts id={stored.entity.id} of={stored.entity} />
      </div>
    </>
  );
}

type StepProps = {
  phase: PhaseDraft;
  phases: readonly PhaseDraft[];
  index: number;
  faults: readonly Fault[];
  disabledReason: string | undefined;
  isOpen: boolean;
  onToggle: () => void;
  onChange: (phases: readonly PhaseDraft[]) => void;
};

function PhaseStep({ phase, phases, index, faults, disabledReason, isOpen, onToggle, onChange }: StepProps) {
  const { name, rules } = phase;
  const all = useEnvironmentNames();
  const prefix = `phases[${index}].`;
  const own = faults.filter(({ property }) => property.startsWith(prefix));
  const shown = name || "Phase without a name";
  return (
    <TimelineStep
      title={shown}
      beside={
        <>
          <Soft>{startText(phase, phases[index - 1])}</Soft>
          {phase.id === undefined && <Badge tone="active">New</Badge>}
          {own.some(({ level }) => level === "error") && <Badge tone="bad">Not complete</Badge>}
          <span className={styles.buttons}>
            <Button
              look="quiet"
              onPress={onToggle}
              aria-expanded={isOpen}
              aria-label={`${isOpen ? "Close" : "Edit"} ${shown}`}
              disabledReason={disabledReason}
            >
              {isOpen ? "Close" : "Edit"}
            </Button>
            {disabledReason === undefined && (
              <Menu
                label={`More for ${shown}`}
                trigger={
                  <IconButton label={`More for ${shown}`}>
                    <MoreHorizontal aria-hidden="true" />
                  </IconButton>
                }
                actions={[
                  {
                    id: "up",
                    label: "Move up",
                    onAction: () => onChange(movePhase(phases, index, index - 1)),
                    disabledReason: index === 0 ? "Already first" : undefined,
                  },
                  {
                    id: "down",
                    label: "Move down",
                    onAction: () => onChange(movePhase(phases, index, index + 1)),
                    disabledReason: index === phases.length - 1 ? "Already last" : undefined,
                  },
                  { id: "delete", label: "Delete", isDangerous: true, onAction: () => onChange(phases.toSpliced(index, 1)) },
                ]}
              />
            )}
          </span>
        </>
      }
    >
      <Sentences of={[...audienceOf({ rules: toRules(rules) }, all), ...guardrailSentences(phase)]} />
      {isOpen && (
        <div className={entity.card}>
          <Suspense>
            <PhaseEditor
              phase={phase}
              onChange={(changed) => onChange(phases.with(index, { ...phase, ...changed }))}
              faults={own}
              prefix={prefix}
            />
          </Suspense>
        </div>
      )}
    </TimelineStep>
  );
}

/** What pauses a release in the phase. */
function guardrailSentences({ guardrailMetrics, guardrailAlerts }: PhaseDraft) {
  const metrics = guardrailMetrics.map(({ name, guardrail }) => `${name} gets more than ${guardrail?.maxHarmPercent ?? "…"}% worse`);
  const causes = [...metrics, ...guardrailAlerts.map((id) => `the alert ${id} is raised`)];
  return causes.length === 0 ? [] : [[text(`The release pauses if ${listed(causes, "or")}.`)]];
}
