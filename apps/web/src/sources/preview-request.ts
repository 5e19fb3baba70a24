// Requests for previews of a metric source. Pure.
import type { WritableSchema } from "../api.ts";
import type { PreviewRequest } from "./preview.tsx";
import type { Fields } from "./table-source-draft.ts";

/** The parts of an edited metric source that a preview reads. */
export type Previewed = Pick<Fields, "sourceType" | "sql" | "tableName" | "timestampColumn" | "idTypeMapping" | "customFieldMapping">;

/** The fields of the body that are lists. Their items are rows of the form. */
const LISTS = ["idTypeMapping", "customFieldMapping"] as const;

const isFilled = (text: string) => text.trim() !== "";

/**
 * The request for a form. Incomplete rows are left out, so that a preview names the columns before they are chosen.
 * @returns the body, and a function from its places to the form's
 */
export function previewRequest(form: Previewed): PreviewRequest<WritableSchema<"MetricSourcePreviewRequest">> {
  const { sourceType, sql, tableName, timestampColumn } = form;
  const rows = {
    idTypeMapping: [...form.idTypeMapping.entries()].filter(([, { unit, column }]) => isFilled(unit) && isFilled(column)),
    customFieldMapping: [...form.customFieldMapping.entries()].filter(([, { key, formula }]) => isFilled(key) && isFilled(formula)),
  };
  return {
    body: {
      sourceType,
      ...(sourceType === "table" ? { tableName } : { sql }),
      ...(isFilled(timestampColumn) && { timestampColumn }),
      idTypeMapping: rows.idTypeMapping.map(([, { unit, column }]) => ({ serviceUnitID: unit, column })),
      customFieldMapping: rows.customFieldMapping.map(([, { key, formula }]) => ({ key, formula })),
    },
    toFormPlace: (property) => {
      const list = LISTS.find((name) => property.startsWith(`${name}[`));
      if (list === undefined) return property;
      return property.replace(/\[(\d+)\]/, (given, sent: string) => {
        const row = rows[list][Number(sent)]?.[0];
        return row === undefined ? given : `[${row}]`;
      });
    },
  };
}

/** The request for a form that is a query and has no computed fields. */
export const queryPreview = (form: Pick<Previewed, "sql" | "idTypeMapping"> & Partial<Pick<Previewed, "timestampColumn">>) =>
  previewRequest({ timestampColumn: "", ...form, sourceType: "query", tableName: "", customFieldMapping: [] });
