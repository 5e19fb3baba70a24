import { useRouter } from "@tanstack/react-router";
import { MoreHorizontal } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type BatchRequest, forgetUnseen } from "../api.ts";
import { BASE_PATH } from "../base-path.ts";
import { Review } from "../saving/review.tsx";
import { useAsked } from "../shell/asked.ts";
import type { KnownNames } from "../targeting/field-words.ts";
import { describeStep } from "../targeting/step-changes.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Checkbox } from "../ui/field.tsx";
import { Menu } from "../ui/menu.tsx";
import { toast } from "../ui/toast.tsx";

/** An action on an entity as a whole. */
export type EntityStep = {
  id: string;
  /** In the menu: Archive. */
  label: string;
  /** Title of the review. Without it, the label and the name. */
  question?: string;
  request: BatchRequest;
  /** Consequences of the step, and fields for its input. Shown in the review. */
  about?: ReactNode;
  /** Whether it can be done even if something uses the entity. */
  canForce?: true;
  /** The entity's state afterwards: is archived. */
  done: string;
  /** The whole sentence about what was done, if it isn't about the entity. */
  doneText?: string;
  /** The button of the review. Without it, the label. */
  saveLabel?: string;
  disabledReason: string | undefined;
  /** Why it cannot be done yet, although its review is open. */
  unconfirmedReason?: string | undefined;
  isDangerous?: boolean;
  /** Whether its page shows deleted entities, and restores them. */
  isRestorable?: true;
  /** Environments where users may get something else, in words. Without it, the step does not change users' values. */
  environments?: string;
};

type Props = {
  name: string;
  steps: readonly EntityStep[];
  /** Names of the entity's parts by id, for the review. */
  partNames?: KnownNames;
  /** Label of the button for the next step. */
  next?: string | undefined;
  /** Whether something speaks against the next step, so that its button doesn't stand out. */
  isNextDoubtful?: boolean;
  /** Whether the page has edits, which a step would not store. */
  hasDraft: boolean;
  onConflict: () => void;
  onDone: (step: EntityStep) => unknown;
};

/** A menu of actions on an entity as a whole. Each step is reviewed before it happens. */
export function EntitySteps({ name, steps, partNames, next, isNextDoubtful = false, hasDraft, onConflict, onDone }: Props) {
  const router = useRouter();
  const [chosen, setChosen] = useState<{ id: string; ifMatch: string | undefined }>();
  const step = steps.find(({ id }) => id === chosen?.id);
  // The reviewed version is the one changed: a later version is a conflict.
  const choose = ({ id, request }: EntityStep) => setChosen({ id, ifMatch: request.ifMatch });
  const [isForced, setForced] = useState(false);
  const close = () => {
    setChosen(undefined);
    setForced(false);
  };
  const explainDisabled = ({ disabledReason }: EntityStep) =>
    disabledReason ?? (hasDraft ? "Save or discard your changes first" : undefined);
  // The palette asks for steps that it finds by the entity's state, which may have changed since.
  useAsked((what) => {
    const asked = steps.find(({ id }) => id === what);
    const refusal = asked === undefined ? undefined : explainDisabled(asked);
    if (refusal !== undefined) toast({ text: refusal });
    else if (asked !== undefined) choose(asked);
  });
  const following = steps.find(({ id }) => id === next);
  return (
    <>
      {following !== undefined && (
        <Button look={isNextDoubtful ? "default" : "primary"} onPress={() => choose(following)} disabledReason={explainDisabled(following)}>
          {shortLabel(following)}
        </Button>
      )}
      <Menu
        label={`More for ${name}`}
        trigger={
          <IconButton label={`More for ${name}`} look="default">
            <MoreHorizontal aria-hidden="true" />
          </IconButton>
        }
        actions={steps.map((one) => ({
          id: one.id,
          label: one.label,
          isDangerous: one.isDangerous ?? false,
          onAction: () => choose(one),
          disabledReason: explainDisabled(one),
        }))}
      />
      {step !== undefined && (
        <Review
          title={step.question ?? `${shortLabel(step)} ${name}?`}
          saveLabel={step.saveLabel ?? shortLabel(step)}
          disabledReason={step.unconfirmedReason}
          write={[onVersion(isForced ? forced(step.request) : step.request, chosen?.ifMatch)]}
          inWords={(changes) => describeStep(changes, partNames)}
          {...(step.environments === undefined ? { isTargeting: false } : { environments: step.environments })}
          choices={
            <>
              {step.about}
              {step.canForce && (
                <Checkbox isSelected={isForced} onChange={setForced}>
                  Continue even if it’s in use. References to it will be broken.
                </Checkbox>
              )}
            </>
          }
          onClose={close}
          onConflict={() => {
            close();
            onConflict();
          }}
          onScheduled={close}
          onSaved={() => {
            close();
            void (async () => {
              const { pathname } = router.state.location;
              await onDone(step);
              if (step.isRestorable) forgetUnseen();
              const back = { label: "Restore", onPress: () => router.history.push(BASE_PATH + pathname) };
              toast({ text: step.doneText ?? `${name} ${step.done}`, ...(step.isRestorable && { action: back }) });
            })();
          }}
        />
      )}
    </>
  );
}

/** The request that also counts where something uses the entity. */
function forced(request: BatchRequest): BatchRequest {
  if (request.operationId.startsWith("delete")) return { ...request, query: { forceArchive: true } } as BatchRequest;
  return { ...request, body: { forceArchive: true } } as BatchRequest;
}

const onVersion = (request: BatchRequest, ifMatch: string | undefined): BatchRequest =>
  (ifMatch === undefined ? request : { ...request, ifMatch }) as BatchRequest;

/** “Launch: on for everyone” is “Launch”. */
const shortLabel = ({ label }: EntityStep): string => label.split(":")[0] ?? label;
