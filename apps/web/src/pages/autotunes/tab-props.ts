import type { EditProps } from "../../entity/entity-page.tsx";
import type { AutotuneDraft } from "./autotune-draft.ts";

/** Props of a tab that edits. */
export type TabProps = EditProps<AutotuneDraft>;
