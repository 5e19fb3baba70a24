import type { EditProps } from "../../entity/entity-page.tsx";
import type { ConfigDraft } from "./dynamic-config-draft.ts";

/** What every tab that edits the dynamic config takes. */
export type TabProps = EditProps<ConfigDraft>;
