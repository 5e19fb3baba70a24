-- CreateTable
CREATE TABLE "metric" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "isHidden" BOOLEAN NOT NULL,
    "tags" TEXT[],
    "events" TEXT[],
    "dueTime" BIGINT,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],
    "entity" TEXT NOT NULL,

    CONSTRAINT "metric_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateIndex
CREATE INDEX "metric_projectID_createdTime_id_idx" ON "metric"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE INDEX "metric_projectID_lastModifiedTime_id_idx" ON "metric"("projectID", "lastModifiedTime" DESC, "id");

-- CreateIndex
CREATE INDEX "metric_projectID_sortName_id_idx" ON "metric"("projectID", "sortName", "id");

-- CreateIndex
CREATE INDEX "metric_dueTime_idx" ON "metric"("dueTime");

-- CreateIndex
CREATE INDEX "metric_events_idx" ON "metric" USING GIN ("events");

-- CreateIndex
CREATE INDEX "metric_searchGrams_idx" ON "metric" USING GIN ("searchGrams");

-- The metrics that the entities that exist name. Nothing says that there is such a metric. Half of a surrogate pair, which no name of a metric
-- has, is no text of Postgres: the entities are read without such halves.
INSERT INTO "reference" ("projectID", "fromType", "fromID", "fromTime", "toType", "toID")
WITH "kept" ("projectID", "type", "id", "time", "lists", "entity") AS (
    SELECT "projectID", 'gate', "id", "createdTime", ARRAY['monitoringMetrics'], "entity" FROM "gate" WHERE NOT "isArchived"
    UNION ALL SELECT "projectID", 'holdout', "id", "createdTime", ARRAY['monitoringMetrics'], "entity" FROM "holdout"
    UNION ALL SELECT "projectID", 'experiment', "id", "createdTime", ARRAY['primaryMetrics', 'secondaryMetrics', 'otherMetrics'], "entity"
        FROM "experiment" WHERE "status" <> 'archived'
    UNION ALL SELECT "projectID", 'team', "id", "createdTime", ARRAY['defaultGateMetrics', 'defaultExperimentPrimaryMetrics',
        'defaultExperimentSecondaryMetrics', 'defaultHoldoutMetrics'], "entity" FROM "team"
), "read" AS (
    SELECT "kept".*, regexp_replace("entity", '\\u[dD][89a-fA-F][0-9a-fA-F]{2}', '\\ufffd', 'g')::json AS "body" FROM "kept"
), "naming" AS (
    SELECT "read".*, "body" -> "list" AS "metrics" FROM "read", unnest("lists") AS "list"
), "named" AS (
    SELECT "naming".*, ("metric" ->> 'name') || '::' || ("metric" ->> 'type') AS "metricID"
    FROM "naming", json_array_elements(CASE json_typeof("metrics") WHEN 'array' THEN "metrics" ELSE '[]' END) AS "metric"
)
SELECT DISTINCT "projectID", "type", "id", "time", 'metric', "metricID" FROM "named" WHERE length("metricID") <= 250
ON CONFLICT DO NOTHING;
