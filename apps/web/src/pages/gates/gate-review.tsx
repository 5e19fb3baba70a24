import { useQuery } from "@tanstack/react-query";
import { type ConsoleApiError, query } from "../../api.ts";
import { Review } from "../../saving/review.tsx";
import { useEnvironments } from "../../shell/environments.ts";
import { describeChanges } from "../../targeting/changes.ts";
import { environmentsInWords, environmentsTouched } from "../../targeting/environments-touched.ts";
import { Notice } from "../../ui/notice.tsx";
import { type GateDraft, knownEntities, previewOf, writeOf } from "./gate-draft.ts";

type Props = {
  draft: GateDraft;
  onClose: () => void;
  onSaved: () => void;
  onConflict: () => void;
  onRefused: (error: ConsoleApiError) => void;
};

/** What a save of the gate would do: in words, for users, and for who else reads it. */
export function GateReview({ draft, ...handlers }: Props) {
  const { gate: base, overrides } = draft.stored;
  const environments = useEnvironments().map(({ name }) => name);
  const { data: references } = useQuery(query("listReferences", { query: { type: "gate", id: base.id, limit: 100 } }));
  const touched = environmentsTouched({ flag: base, overrides }, { flag: previewOf(draft), overrides: draft.overrides }, environments);
  const readers = references?.data ?? [];
  return (
    <Review
      title={`Review the changes of ${base.name}`}
      write={writeOf(draft)}
      inWords={(changes) => describeChanges(changes, knownEntities(draft))}
      environments={environmentsInWords(touched, environments)}
      {...handlers}
    >
      {readers.length > 0 && (
        <Notice title="Others depend on this gate">
          <bdi>{readers.map(({ type, id, name }) => `${name ?? id} (${type.replaceAll("_", " ")})`).join(", ")}</bdi>
        </Notice>
      )}
    </Review>
  );
}
