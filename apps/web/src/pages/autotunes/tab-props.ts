import type { EditProps } from "../../entity/entity-page.tsx";
import type { AutotuneDraft } from "./autotune-draft.ts";

/** What a tab that edits receives. */
export type TabProps = EditProps<AutotuneDraft>;
