import { fixErrors, useKnownErrors } from "../../entity/value-checks.ts";
import { useUnread } from "../../ui/unread.ts";
import { type ConfigDraft, textsOfDraft } from "./dynamic-config-draft.ts";

/** Keeps values with known errors from being saved while another tab is shown. */
export function KnownFaults({ draft }: { draft: ConfigDraft }) {
  const errorsOf = useKnownErrors();
  const { schemaJson5 } = draft.fields;
  const faulty = textsOfDraft(draft).find(({ text }) => errorsOf(text, schemaJson5) > 0);
  useUnread(faulty?.label ?? "", faulty && fixErrors(errorsOf(faulty.text, schemaJson5)));
  return null;
}
