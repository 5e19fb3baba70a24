import { LONG, MARKUP, NAME, REVERSED, TEXT } from "../support/hostile.ts";
import type { KindTest } from "../support/kind.ts";

export default {
  createHostile: async (api) => {
    await api.updateWarehouseConnection({ body: { postgres: { url: "postgres://reader:secret@127.0.0.1:1/shop" } } });
    const mapping = {
      ...{ event_name: MARKUP, timestamp: REVERSED, unit_id: LONG.slice(0, 200), event_value: MARKUP },
      ...{ metadata: { [MARKUP.slice(0, 100)]: LONG.slice(0, 200) }, metadata_object: REVERSED },
    };
    const body = { type: "postgres", dataset: "Events", source_name: NAME, query: TEXT, column_mapping: mapping } as const;
    const { id } = (await api.createIngestionSource({ body })).data;
    return { id, title: id };
  },
  async listFurtherPages(api) {
    const days = { datestamp_start: "2025-11-20", datestamp_end: "2025-11-20" };
    const { data } = await api.startIngestionBackfill({ body: { type: "postgres", dataset: "Events", ...days } });
    return ["ingestion-runs", `ingestion-runs/${data.runID}`];
  },
  flow: null,
} satisfies KindTest;
