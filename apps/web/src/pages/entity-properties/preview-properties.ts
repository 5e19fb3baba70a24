import { call, type WritableSchema } from "../../api.ts";

/** Previews a form, which is a query without computed fields. */
export const previewProperties = ({ sql = "", timestampColumn, idTypeMapping }: WritableSchema<"MetricSourcePreviewRequest">) =>
  call("previewEntityPropertySource", {
    body: { sql, ...(timestampColumn && { timestampColumn }), ...(idTypeMapping && { idTypeMapping }) },
  });
