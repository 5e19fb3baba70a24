import type { EditProps } from "../../entity/entity-page.tsx";
import type { GateDraft } from "./gate-draft.ts";

/** Props of every tab that edits the gate. */
export type TabProps = EditProps<GateDraft>;
