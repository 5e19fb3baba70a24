import { useSearch } from "@tanstack/react-router";
import { TestUser } from "../../entity/test-user.tsx";
import { RulesEditor } from "../../rules/rules-editor.tsx";
import { Section } from "../../shell/page.tsx";
import { toRules } from "../../targeting/rule-draft.ts";
import type { Fault } from "../../targeting/types.ts";
import { type SegmentDraft, toPatchBody } from "./segment-draft.ts";

type Props = {
  draft: SegmentDraft;
  onChange: (draft: SegmentDraft) => void;
  disabledReason: string | undefined;
  faults: readonly Fault[];
};

/** The rules of a segment, and who is in it by them. */
export function RulesTab({ draft, onChange, disabledReason, faults }: Props) {
  const { environment } = useSearch({ from: "/projects/$projectID" });
  const { entity } = draft.stored;
  return (
    <>
      <Section
        title={environment === undefined ? "Rules" : `Rules in ${environment}`}
        description="Rules run top to bottom. The first match decides whether a user is in the segment."
      >
        <RulesEditor
          draft={draft.rules}
          onChange={(rules) => onChange({ ...draft, rules })}
          idType={entity.idType}
          environment={environment}
          faults={faults}
          disabledReason={disabledReason}
          place="segment"
        />
      </Section>
      <TestUser
        type="segment"
        id={entity.id}
        noun="segment"
        saved={entity.rules}
        drafted={toRules(draft.rules)}
        body={toPatchBody(draft)}
        faults={faults}
      />
    </>
  );
}
