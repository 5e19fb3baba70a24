import type { EditProps } from "../../entity/entity-page.tsx";
import type { ExperimentDraft } from "./experiment-draft.ts";

/** Props of every tab that edits the experiment. */
export type TabProps = EditProps<ExperimentDraft>;
