import { useState } from "react";
import { invalidate } from "../../api.ts";
import { Review } from "../../saving/review.tsx";
import { useEnvironmentNames } from "../../shell/environments.ts";
import { describeChanges } from "../../targeting/changes.ts";
import { environmentsInWords } from "../../targeting/environments-touched.ts";
import { Button } from "../../ui/button.tsx";
import { toast } from "../../ui/toast.tsx";
import type { StoredExperiment } from "./experiment-draft.ts";

type Props = { stored: StoredExperiment; group: string; isOff: boolean; disabledReason: string | undefined };

const SWITCHABLE = ["setup", "active", "assignment_stopped"];

/** Takes one group out of the experiment, or back into it, after a review. The other groups stay as they are. */
export function GroupSwitch({ stored: { entity, etag: ifMatch }, group, isOff, disabledReason }: Props) {
  const [isOpen, setOpen] = useState(false);
  const all = useEnvironmentNames();
  const verb = isOff ? "Enable" : "Disable";
  const request = { path: { id: entity.id }, body: { group_names: [group] }, ifMatch };
  const close = () => {
    setOpen(false);
    void invalidate("getExperiment");
  };
  return (
    <>
      <Button
        look="quiet"
        onPress={() => setOpen(true)}
        disabledReason={disabledReason ?? (SWITCHABLE.includes(entity.status) ? undefined : "The experiment has ended.")}
        aria-label={`${verb} the group ${group}`}
      >
        {verb}
      </Button>
      {isOpen && (
        <Review
          title={`${verb} the group ${group}?`}
          saveLabel={verb}
          write={[isOff ? { operationId: "enableExperimentGroups", ...request } : { operationId: "disableExperimentGroups", ...request }]}
          inWords={(changes) => describeChanges(changes, [])}
          environments={environmentsInWords(all, all)}
          choices={
            <p>
              {isOff ? "Its users take part again and get the group’s values." : "Its users no longer take part. No user changes groups."}
            </p>
          }
          onClose={() => setOpen(false)}
          onConflict={close}
          onSaved={() => {
            close();
            void invalidate("listExperiments", "listExperimentVersions", "listChanges");
            toast({ text: `Group ${group} ${isOff ? "enabled" : "disabled"}` });
          }}
        />
      )}
    </>
  );
}
