import { ReadBy } from "../../entity/used-by-tab.tsx";
import { Review } from "../../saving/review.tsx";
import type { ReviewHandlers } from "../../saving/saving.tsx";
import { useEnvironments } from "../../shell/environments.ts";
import { describeChanges } from "../../targeting/changes.ts";
import { environmentsInWords, environmentsTouched } from "../../targeting/environments-touched.ts";
import { type GateDraft, knownEntities, previewOf, writeOf } from "./gate-draft.ts";

/** What a save of the gate would do: in words, for users, and for who else reads it. */
export function GateReview({ draft, ...handlers }: ReviewHandlers & { draft: GateDraft }) {
  const { gate: base, overrides } = draft.stored;
  const environments = useEnvironments().map(({ name }) => name);
  const touched = environmentsTouched({ flag: base, overrides }, { flag: previewOf(draft), overrides: draft.overrides }, environments);
  return (
    <Review
      title={`Review the changes of ${base.name}`}
      write={writeOf(draft)}
      inWords={(changes) => describeChanges(changes, knownEntities(draft))}
      environments={environmentsInWords(touched, environments)}
      {...handlers}
    >
      <ReadBy type="gate" id={base.id} noun="gate" />
    </Review>
  );
}
