import type { EditProps } from "../../entity/entity-page.tsx";
import type { ExperimentDraft } from "./experiment-draft.ts";

/** What every tab that edits the experiment takes. */
export type TabProps = EditProps<ExperimentDraft>;
