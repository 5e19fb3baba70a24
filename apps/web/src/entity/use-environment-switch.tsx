import { type ReactNode, useCallback, useState } from "react";
import { type BatchRequest, ConsoleApiError, call, invalidate, ReviewRequiredError, type Schema, save } from "../api.ts";
import { explain } from "../explain.ts";
import { Review } from "../saving/review.tsx";
import { useRefusal } from "../session/account.ts";
import { describeChanges } from "../targeting/changes.ts";
import { offIn, switchedIn } from "../targeting/environment-switches.ts";
import { toast } from "../ui/toast.tsx";
import { ReadBy } from "./read-by.tsx";

type FlagType = "gate" | "dynamic_config";
type Flag = Schema<"Gate"> | Schema<"DynamicConfig">;
type Switched = { id: string; name: string; environment: string; isOn: boolean };
/** A switch with the version that it changes. */
type Reviewed = { switched: Switched; flag: Flag; request: BatchRequest };

export type EnvironmentSwitch = {
  /** Opens the review of a switch. It stays the same, since a table renders its rows again for another one. */
  onSwitch: (switched: Switched) => void;
  /** Why the reader can't turn any of them on or off; undefined if they can. */
  disabledReason: string | undefined;
  /** The review of the last switch. */
  review: ReactNode;
};

/** The switches in a list of gates or dynamic configs. Each is reviewed before it is stored, as on the page of the entity. */
export function useEnvironmentSwitch(type: FlagType): EnvironmentSwitch {
  const refusal = useRefusal();
  const launching = refusal("launch_or_disable_configs");
  const editing = refusal("edit_or_delete_configs");
  const [reviewed, setReviewed] = useState<Reviewed>();
  const onSwitch = useCallback(
    (switched: Switched) => {
      read(type, switched).then(setReviewed, (error: unknown) => toast({ text: explain(error) }));
    },
    [type],
  );
  return {
    onSwitch,
    disabledReason: type === "gate" ? launching : (launching ?? editing),
    review: reviewed && <SwitchReview type={type} {...reviewed} onClose={() => setReviewed(undefined)} />,
  };
}

function SwitchReview({ type, switched, flag, request, onClose }: Reviewed & { type: FlagType; onClose: () => void }) {
  const { id, environment, isOn } = switched;
  const [verb, place] = [isOn ? "Turn on" : "Turn off", `in ${environment}`];
  const after = { ...flag, disabledEnvironments: switchedIn(offIn(flag), environment, isOn) };
  return (
    <Review
      title={`${verb} ${flag.name} ${place}?`}
      saveLabel={verb}
      write={[request]}
      inWords={(changes) => describeChanges(changes, [{ type, id, before: flag, after }])}
      environments={environment}
      onClose={onClose}
      onScheduled={onClose}
      onConflict={() => {
        onClose();
        void readAgain(type);
      }}
      onSaved={async ([answer]) => {
        const undo = requestOf(type, { ...switched, isOn: !isOn }, after, answer?.etag ?? "");
        await readAgain(type);
        onClose();
        const text = `${flag.name} is ${isOn ? "on" : "off"} ${place}`;
        toast({
          text,
          action: {
            label: "Undo",
            onPress: () => void takeBack(type, undo, `${flag.name} is ${isOn ? "off" : "on"} again in ${environment}`, flag.name),
          },
        });
      }}
    >
      <ReadBy type={type} id={id} noun={type === "gate" ? "gate" : "dynamic config"} />
    </Review>
  );
}

/** The entity as it is now, which may be later than the list, and the request that switches it. */
async function read(type: FlagType, switched: Switched): Promise<Reviewed> {
  const path = { id: switched.id };
  const { data: flag, etag = "" } = type === "gate" ? await call("getGate", { path }) : await call("getDynamicConfig", { path });
  return { switched, flag, request: requestOf(type, switched, flag, etag) };
}

/** The request that switches an entity in the version of `ifMatch`. */
function requestOf(
  type: FlagType,
  { id, environment, isOn }: Switched,
  flag: Pick<Flag, "disabledEnvironments">,
  ifMatch: string,
): BatchRequest {
  const path = { id };
  if (type === "gate") return { operationId: isOn ? "enableGate" : "disableGate", path, query: { environment }, ifMatch };
  return { operationId: "patchDynamicConfig", path, body: { disabledEnvironments: switchedIn(offIn(flag), environment, isOn) }, ifMatch };
}

/** Switches the entity back, unless it was changed since. */
async function takeBack(type: FlagType, undo: BatchRequest, done: string, name: string): Promise<void> {
  try {
    await save([undo]);
    toast({ text: done });
  } catch (thrown) {
    if (thrown instanceof ReviewRequiredError) return;
    const isChanged = thrown instanceof ConsoleApiError && thrown.status === 412;
    toast({ text: isChanged ? `Couldn’t undo: someone has changed ${name} since then.` : `Couldn’t undo: ${explain(thrown)}` });
  }
  await readAgain(type);
}

const readAgain = (type: FlagType) =>
  type === "gate"
    ? invalidate("listGates", "getGate", "listGateVersions", "listChanges")
    : invalidate("listDynamicConfigs", "getDynamicConfig", "listDynamicConfigVersions", "listChanges");
