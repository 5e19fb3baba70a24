// Requests for previews of an assignment source. Pure.
import type { WritableSchema } from "../../api.ts";
import type { PreviewRequest } from "../../sources/preview.tsx";
import { queryPreview } from "../../sources/preview-request.ts";
import type { Fields } from "./assignment-source-draft.ts";

const COLUMNS = ["timestampColumn", "experimentIDColumn", "groupIDColumn", "groupNameColumn"] as const;

export type Previewed = Pick<Fields, "sql" | "idTypeMapping" | (typeof COLUMNS)[number]>;

/** The request for a form. Columns that are not named yet are left out, so that a preview lists the existing ones. */
export function assignmentsPreview(form: Previewed): PreviewRequest<WritableSchema<"AssignmentSourcePreviewRequest">> {
  const { sql, idTypeMapping } = form;
  const { body, toFormPlace } = queryPreview({ sql, idTypeMapping });
  const named = COLUMNS.flatMap((name) => (form[name].trim() === "" ? [] : [[name, form[name]] as const]));
  return { body: { sql, ...Object.fromEntries(named), idTypeMapping: body.idTypeMapping ?? [] }, toFormPlace };
}
