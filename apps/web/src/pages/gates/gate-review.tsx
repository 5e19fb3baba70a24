import { useQuery } from "@tanstack/react-query";
import { type ConsoleApiError, query } from "../../api.ts";
import { Review } from "../../saving/review.tsx";
import { useEnvironments } from "../../shell/environments.ts";
import { Notice } from "../../ui/notice.tsx";
import { type GateDraft, previewOf, writeOf } from "./gate-draft.ts";
import { environmentsOf, linesOf } from "./gate-words.tsx";

type Props = {
  draft: GateDraft;
  onClose: () => void;
  onSaved: () => void;
  onConflict: () => void;
  onRefused: (error: ConsoleApiError) => void;
};

/** What a save of the gate would do: in words, for users, and for who else reads it. */
export function GateReview({ draft, ...handlers }: Props) {
  const { base } = draft;
  const environments = useEnvironments().map(({ name }) => name);
  const { data: references } = useQuery(query("listReferences", { query: { type: "gate", id: base.id, limit: 100 } }));
  const after = previewOf(draft);
  const readers = references?.data ?? [];
  return (
    <Review
      title={`Review the changes of ${base.name}`}
      write={writeOf(draft)}
      inWords={(changes) => linesOf(changes, base, after)}
      environments={environmentsOf(draft, environments)}
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
