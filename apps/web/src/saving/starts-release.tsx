import { useQuery } from "@tanstack/react-query";
import { type Changes, query } from "../api.ts";
import { useEnvironmentNames } from "../shell/environments.ts";
import { Sentence } from "../shell/sentence.tsx";
import { audienceOf, planText } from "../targeting/phases.ts";
import { Notice } from "../ui/notice.tsx";

const isStart = ({ entityType, fields }: Changes[number]): boolean =>
  entityType === "release" && fields.some(({ field, before }) => field === "id" && before === null);

/** The changes that no notice about a release says. */
export function withoutReleases(changes: Changes): Changes {
  if (!changes.some(isStart)) return changes;
  return changes
    .filter((change) => !isStart(change))
    .map((change) => ({ ...change, fields: change.fields.filter(({ field }) => !field.startsWith("activeRelease")) }));
}

/** Says which releases a write starts, and which users they reach first. */
export function StartsRelease({ changes }: { changes: Changes }) {
  const pipelines = changes
    .filter(isStart)
    .flatMap(({ fields }) => fields.filter(({ field }) => field === "releasePipelineID").map(({ after }) => String(after)));
  return [...new Set(pipelines)].map((id) => <Plan key={id} id={id} />);
}

function Plan({ id }: { id: string }) {
  const { data } = useQuery(query("getReleasePipeline", { path: { id } }));
  const all = useEnvironmentNames();
  if (data === undefined) return null;
  const { name, phases } = data.data;
  const [first] = phases;
  return (
    <Notice title={`This change will be released through the pipeline “${name}”`}>
      <p>{planText(phases)}.</p>
      {first && (
        <p>
          {first.requiredReview ? `After approval of “${first.name}”: ` : "First phase: "}
          {audienceOf(first, all).map((parts, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: sentences have no identity, and are drawn as a whole.
            <span key={index}>
              <Sentence parts={parts} />{" "}
            </span>
          ))}
        </p>
      )}
    </Notice>
  );
}
