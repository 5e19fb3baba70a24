import { MoreHorizontal } from "lucide-react";
import { useState } from "react";
import type { BatchRequest } from "../api.ts";
import { Review } from "../saving/review.tsx";
import { describeChanges } from "../targeting/changes.ts";
import { IconButton } from "../ui/button.tsx";
import { Checkbox } from "../ui/field.tsx";
import { Menu } from "../ui/menu.tsx";
import { toast } from "../ui/toast.tsx";

/** What is done with an entity as a whole. */
export type EntityStep = {
  id: string;
  /** In the menu: Archive. */
  label: string;
  request: BatchRequest;
  /** Whether it can be done even if something uses the entity. */
  canForce?: true;
  /** What is then true of it: is archived. */
  done: string;
  disabledReason: string | undefined;
  isDangerous?: boolean;
  /** Where users may get something else, in words. Without it, the step does not change what users get. */
  environments?: string;
};

type Props = {
  name: string;
  steps: readonly EntityStep[];
  /** Whether the page has edits, which a step would not store. */
  hasDraft: boolean;
  onConflict: () => void;
  onDone: (step: EntityStep) => unknown;
};

/** A menu of what is done with an entity as a whole. Each step is reviewed before it happens. */
export function EntitySteps({ name, steps, hasDraft, onConflict, onDone }: Props) {
  const [chosen, setChosen] = useState<string>();
  const step = steps.find(({ id }) => id === chosen);
  const [isForced, setForced] = useState(false);
  const close = () => {
    setChosen(undefined);
    setForced(false);
  };
  return (
    <>
      <Menu
        label={`More for ${name}`}
        trigger={
          <IconButton label={`More for ${name}`} look="default">
            <MoreHorizontal aria-hidden="true" />
          </IconButton>
        }
        actions={steps.map(({ id, label, disabledReason, isDangerous = false }) => ({
          id,
          label,
          isDangerous,
          onAction: () => setChosen(id),
          disabledReason: disabledReason ?? (hasDraft ? "Save or discard your changes first" : undefined),
        }))}
      />
      {step !== undefined && (
        <Review
          title={`${shortLabel(step)} ${name}?`}
          saveLabel={shortLabel(step)}
          write={[isForced ? forced(step.request) : step.request]}
          inWords={(changes) => describeChanges(changes, [])}
          {...(step.environments === undefined ? { isTargeting: false } : { environments: step.environments })}
          {...(step.canForce && {
            choices: (
              <Checkbox isSelected={isForced} onChange={setForced}>
                Even if something uses it. The references to it stay.
              </Checkbox>
            ),
          })}
          onClose={close}
          onConflict={() => {
            close();
            onConflict();
          }}
          onSaved={() => {
            close();
            void (async () => {
              await onDone(step);
              toast({ text: `${name} ${step.done}` });
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

/** “Launch: everybody passes” is “Launch”. */
const shortLabel = ({ label }: EntityStep): string => label.split(":")[0] ?? label;
