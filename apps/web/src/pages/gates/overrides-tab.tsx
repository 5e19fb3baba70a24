import { OverrideListsEditor, type OverrideWords } from "../../entity/override-lists.tsx";
import type { TabProps } from "./tab-props.ts";

const WORDS: OverrideWords = {
  pass: { verb: "Pass", outcome: "Passes", tone: "good", let: (id) => `Let ${id} pass` },
  fail: { verb: "Fail", outcome: "Fails", tone: "bad", let: (id) => `Let ${id} fail` },
};

/** Ids that pass or fail regardless of the rules. */
export default function OverridesTab({ draft, onChange, disabledReason }: TabProps) {
  return (
    <OverrideListsEditor
      idType={draft.stored.entity.idType}
      lists={draft.overrides}
      onChange={(overrides) => onChange({ ...draft, overrides })}
      disabledReason={disabledReason}
      description="Force a result for specific IDs. Overrides beat rules and holdouts. Overrides of one environment come first."
      words={WORDS}
      empty="Rules apply to everyone."
    />
  );
}
