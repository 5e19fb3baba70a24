import type { RuleItem } from "../targeting/rule-draft.ts";
import { isFor } from "../targeting/rule-environments.ts";
import { separateRule } from "../targeting/separate-rule.ts";
import { Button } from "../ui/button.tsx";
import { listed } from "../ui/list-text.ts";
import { Notice } from "../ui/notice.tsx";
import type { EditRules } from "./edits.ts";

type Props = { item: RuleItem; edit: EditRules; environment: string; environments: readonly string[]; others: readonly string[] };

/** The other environments that edits of the rule change. Offers a separate rule for the environment of the page. */
export default function SharedNotice({ item: { key, rule }, edit, environment, environments, others }: Props) {
  const names = <bdi>{listed(others)}</bdi>;
  if (!isFor(rule, environment)) return <Notice>Edits apply in {names}.</Notice>;
  return (
    <Notice
      actions={
        <Button onPress={() => edit((draft) => separateRule(draft, key, environment, environments))}>Edit only in {environment}</Button>
      }
    >
      <span>Edits also apply in {names}.</span>
    </Notice>
  );
}
