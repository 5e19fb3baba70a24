import type { EditProps } from "../../entity/entity-page.tsx";
import type { ConfigDraft } from "./dynamic-config-draft.ts";

/** Props of every tab that edits the dynamic config. */
export type TabProps = EditProps<ConfigDraft>;
