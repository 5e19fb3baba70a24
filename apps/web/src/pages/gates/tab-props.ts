import type { EditProps } from "../../entity/entity-page.tsx";
import type { GateDraft } from "./gate-draft.ts";

/** What every tab that edits the gate takes. */
export type TabProps = EditProps<GateDraft>;
