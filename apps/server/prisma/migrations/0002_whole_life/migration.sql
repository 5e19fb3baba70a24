-- DropIndex
DROP INDEX "dynamic_config_referencedGates_idx";

-- AlterTable
ALTER TABLE "dynamic_config" DROP COLUMN "referencedGates",
ADD COLUMN     "dueTime" BIGINT,
ADD COLUMN     "idType" TEXT,
ADD COLUMN     "targetApps" TEXT[];

-- The columns of dynamic configs that exist come from their entity.
UPDATE "dynamic_config" SET
    "idType" = "entity"::jsonb ->> 'idType',
    "targetApps" = ARRAY(SELECT jsonb_array_elements_text("entity"::jsonb -> 'targetApps')),
    "dueTime" = CASE WHEN NOT "isArchived" THEN (
        SELECT min(("due" ->> 'time')::bigint) FROM jsonb_path_query("entity"::jsonb, '$.rules[*].pendingAutomatedRollouts[*]') AS "due"
    ) END;
ALTER TABLE "dynamic_config" ALTER COLUMN "idType" SET NOT NULL;

-- AlterTable
ALTER TABLE "experiment" ADD COLUMN     "dueTime" BIGINT,
ADD COLUMN     "experimentType" TEXT,
ADD COLUMN     "isStale" BOOLEAN,
ADD COLUMN     "targetApps" TEXT[];

-- The columns of experiments that exist come from their entity.
UPDATE "experiment" SET
    "experimentType" = "entity"::jsonb ->> 'experimentType',
    "isStale" = ("entity"::jsonb ->> 'isStale')::boolean,
    "targetApps" = ARRAY(SELECT jsonb_array_elements_text("entity"::jsonb -> 'targetApps'));
ALTER TABLE "experiment" ALTER COLUMN "experimentType" SET NOT NULL,
ALTER COLUMN "isStale" SET NOT NULL;

-- User buckets were the callers' until here, and are the server's from now on.
UPDATE "experiment" SET "entity" = ("entity"::jsonb - 'userBuckets')::text WHERE "entity"::jsonb ? 'userBuckets';

-- Experiments that exist get what new ones have, behind their other fields, whose text stays as it is. Those that run get their buckets one
-- after the other: a layer in which they wanted more than all of them leaves none for the last.
WITH "asked" AS (
    SELECT "projectID", "id", ("status" IN ('active', 'assignment_stopped'))::int * round(("entity"::jsonb ->> 'allocation')::numeric * 10)::int AS "wanted",
        COALESCE("layerID", 'experiment ' || "id") AS "holder", "createdTime"
    FROM "experiment"
), "placed" AS (
    SELECT "projectID", "id", "wanted", sum("wanted") OVER (PARTITION BY "projectID", "holder" ORDER BY "createdTime", "id")::int AS "upto"
    FROM "asked"
)
UPDATE "experiment" SET "entity" = left("entity", -1) || ',"userBuckets":['
    || COALESCE((SELECT string_agg("bucket"::text, ',' ORDER BY "bucket") FROM generate_series("upto" - "wanted", least("upto", 1000) - 1) AS "bucket"), '')
    || '],"salt":' || to_json("experiment"."id") || ',"statusBeforeArchive":'
    || CASE WHEN "status" <> 'archived' THEN 'null'
        WHEN "entity"::jsonb ->> 'decisionTime' IS NOT NULL THEN '"decision_made"'
        WHEN "entity"::jsonb ->> 'startTime' IS NOT NULL THEN '"abandoned"'
        ELSE '"setup"' END
    || ',"scheduledStartTime":null}'
FROM "placed" WHERE "placed"."projectID" = "experiment"."projectID" AND "placed"."id" = "experiment"."id";

-- AlterTable
ALTER TABLE "gate" ADD COLUMN     "dueTime" BIGINT,
ADD COLUMN     "idType" TEXT,
ADD COLUMN     "lastModifiedTime" BIGINT,
ADD COLUMN     "rolloutRate" TEXT,
ADD COLUMN     "targetApps" TEXT[],
ADD COLUMN     "type" TEXT,
ADD COLUMN     "typeReason" TEXT;

-- The columns of gates that exist come from their entity.
UPDATE "gate" SET
    "idType" = "entity"::jsonb ->> 'idType',
    "type" = "entity"::jsonb ->> 'type',
    "typeReason" = "entity"::jsonb ->> 'typeReason',
    "lastModifiedTime" = ("entity"::jsonb ->> 'lastModifiedTime')::bigint,
    "targetApps" = ARRAY(SELECT jsonb_array_elements_text("entity"::jsonb -> 'targetApps')),
    "dueTime" = CASE WHEN NOT "isArchived" THEN (
        SELECT min(("due" ->> 'time')::bigint) FROM jsonb_path_query("entity"::jsonb, '$.rules[*].pendingAutomatedRollouts[*]') AS "due"
    ) END,
    "rolloutRate" = CASE
        WHEN NOT jsonb_path_exists("entity"::jsonb, '$.rules[*] ? (@.passPercentage > 0)') THEN '0'
        WHEN NOT jsonb_path_exists("entity"::jsonb, '$.rules[*] ? (@.passPercentage < 100)')
            AND jsonb_path_exists("entity"::jsonb, '$.rules[*] ? (@.conditions.size() == 0 || @.conditions[*].type == "public")') THEN '100'
        ELSE 'INBETWEEN'
    END;
ALTER TABLE "gate" ALTER COLUMN "idType" SET NOT NULL,
ALTER COLUMN "lastModifiedTime" SET NOT NULL,
ALTER COLUMN "rolloutRate" SET NOT NULL,
ALTER COLUMN "type" SET NOT NULL,
ALTER COLUMN "typeReason" SET NOT NULL;

-- CreateTable
CREATE TABLE "gate_checks" (
    "projectID" TEXT NOT NULL,
    "gateID" TEXT NOT NULL,
    "hour" BIGINT NOT NULL,
    "environment" TEXT NOT NULL,
    "passes" BIGINT NOT NULL,
    "fails" BIGINT NOT NULL,
    "empties" BIGINT NOT NULL,

    CONSTRAINT "gate_checks_pkey" PRIMARY KEY ("projectID","gateID","hour","environment")
);

-- CreateTable
CREATE TABLE "holdout" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "creatorID" TEXT,
    "creatorName" TEXT,
    "tags" TEXT[],
    "entity" TEXT NOT NULL,

    CONSTRAINT "holdout_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "overrides" (
    "projectID" TEXT NOT NULL,
    "ownerType" TEXT NOT NULL,
    "ownerID" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "overrides_pkey" PRIMARY KEY ("projectID","ownerType","ownerID")
);

-- The overrides of layers move into the table of all overrides.
INSERT INTO "overrides" ("projectID", "ownerType", "ownerID", "version", "createdTime", "entity")
SELECT "layer"."projectID", 'layer', "layerID", "layer_overrides"."version", "createdTime",
    ("layer_overrides"."entity"::jsonb || jsonb_build_object('createdTime', "createdTime"))::text
FROM "layer_overrides" JOIN "layer" ON "layer"."projectID" = "layer_overrides"."projectID" AND "layer"."id" = "layer_overrides"."layerID";

-- DropTable
DROP TABLE "layer_overrides";

-- CreateTable
CREATE TABLE "reference" (
    "projectID" TEXT NOT NULL,
    "fromType" TEXT NOT NULL,
    "fromID" TEXT NOT NULL,
    "toType" TEXT NOT NULL,
    "toID" TEXT NOT NULL,
    "fromTime" BIGINT NOT NULL,

    CONSTRAINT "reference_pkey" PRIMARY KEY ("projectID","fromType","fromID","toType","toID")
);

-- What the entities that exist name.
INSERT INTO "reference" ("projectID", "fromType", "fromID", "fromTime", "toType", "toID")
WITH "kept" ("projectID", "type", "id", "time", "body") AS (
    SELECT "projectID", 'gate', "id", "createdTime", "entity"::jsonb FROM "gate" WHERE NOT "isArchived"
    UNION ALL SELECT "projectID", 'dynamic_config', "id", "createdTime", "entity"::jsonb FROM "dynamic_config" WHERE NOT "isArchived"
    UNION ALL SELECT "projectID", 'experiment', "id", "createdTime", "entity"::jsonb FROM "experiment" WHERE "status" <> 'archived'
    UNION ALL SELECT "projectID", 'layer', "id", "createdTime", "entity"::jsonb FROM "layer"
    UNION ALL SELECT "projectID", 'metric_source', "name", "createdTime", "entity"::jsonb FROM "metric_source"
    UNION ALL SELECT "projectID", 'param_store', "name", "createdTime", "entity"::jsonb FROM "param_store"
    UNION ALL SELECT "projectID", 'prompt', "id", "createdTime", "entity"::jsonb FROM "prompt"
    UNION ALL SELECT "projectID", 'release_pipeline', "id", "createdTime", "entity"::jsonb FROM "release_pipeline"
    UNION ALL SELECT "projectID", 'segment', "id", "createdTime", "entity"::jsonb FROM "segment"
    UNION ALL SELECT "projectID", 'team', "id", "createdTime", "entity"::jsonb FROM "team"
), "condition" ("projectID", "type", "id", "time", "body") AS (
    SELECT "projectID", "type", "id", "time", "condition" FROM "kept", jsonb_path_query("body", '$.rules[*].conditions[*]') AS "condition"
    UNION ALL
    SELECT "projectID", "type", "id", "time", "condition" FROM "kept", jsonb_path_query("body", '$.phases[*].rules[*].conditions[*]') AS "condition"
    UNION ALL
    SELECT "projectID", "type", "id", "time", "condition" FROM "kept", jsonb_path_query("body", '$.inlineTargetingRules[*].conditions[*]') AS "condition"
), "named" ("projectID", "type", "id", "time", "toType", "toID") AS (
    SELECT "projectID", "type", "id", "time", "path"."toType", "value" #>> '{}'
    FROM "condition", (VALUES
        ('gate', '$ ? (@.type == "passes_gate" || @.type == "fails_gate").targetValue'::jsonpath),
        ('segment', '$ ? (@.type == "passes_segment" || @.type == "fails_segment").targetValue'),
        ('unit_id_type', '$ ? (@.type == "unit_id").customID')
    ) AS "path" ("toType", "path"), jsonb_path_query("body", "path"."path") AS "value"
    UNION ALL
    SELECT "projectID", "type", "id", "time", "path"."toType", "value" #>> '{}'
    FROM "kept", (VALUES
        ('dynamic_config', '$.parameters[*].config_name'::jsonpath),
        ('experiment', '$.parameters[*].experiment_name'),
        ('gate', '$.parameters[*].gate_name'),
        ('gate', '$.targetingGateID'),
        ('holdout', '$.defaultHoldoutID'),
        ('layer', '$.layerID'),
        ('layer', '$.parameters[*].layer_name'),
        ('release_pipeline', '$.releasePipelineID'),
        ('tag', '$.tags[*]'),
        ('target_app', '$.targetApps[*]'),
        ('target_app', '$.targetAppIDs[*]'),
        ('target_app', '$.defaultTargetApplications[*]'),
        ('unit_id_type', '$.idType'),
        ('unit_id_type', '$.idTypeMapping[*].serviceUnitID')
    ) AS "path" ("toType", "path"), jsonb_path_query("body", "path"."path") AS "value"
)
SELECT DISTINCT "projectID", "type", "id", "time", "toType", "toID" FROM "named"
WHERE "toID" <> '' AND NOT ("toType" = 'unit_id_type' AND "toID" IN ('userID', 'stableID'));

-- CreateTable
CREATE TABLE "idempotency_record" (
    "projectID" TEXT NOT NULL,
    "actorID" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "etag" TEXT,
    "body" TEXT NOT NULL,
    "time" BIGINT NOT NULL,

    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("projectID","actorID","key")
);

-- CreateIndex
CREATE INDEX "reference_projectID_toType_toID_fromType_fromTime_fromID_idx" ON "reference"("projectID", "toType", "toID", "fromType", "fromTime" DESC, "fromID");

-- CreateIndex
CREATE INDEX "idempotency_record_time_idx" ON "idempotency_record"("time");

-- CreateIndex
CREATE INDEX "dynamic_config_dueTime_idx" ON "dynamic_config"("dueTime");

-- CreateIndex
CREATE INDEX "dynamic_config_tags_idx" ON "dynamic_config" USING GIN ("tags");

-- CreateIndex
CREATE INDEX "experiment_dueTime_idx" ON "experiment"("dueTime");

-- CreateIndex
CREATE INDEX "experiment_tags_idx" ON "experiment" USING GIN ("tags");

-- CreateIndex
CREATE INDEX "gate_tags_idx" ON "gate" USING GIN ("tags");

-- CreateIndex
CREATE INDEX "gate_dueTime_idx" ON "gate"("dueTime");

-- CreateIndex
CREATE INDEX "holdout_projectID_createdTime_id_idx" ON "holdout"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE INDEX "holdout_tags_idx" ON "holdout" USING GIN ("tags");

-- CreateTable
CREATE TABLE "tag" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "tag_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "target_app" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "target_app_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "unit_id_type" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "unit_id_type_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateIndex
CREATE INDEX "tag_projectID_createdTime_id_idx" ON "tag"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "tag_projectID_name_key" ON "tag"("projectID", "name");

-- CreateIndex
CREATE INDEX "target_app_projectID_createdTime_id_idx" ON "target_app"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "target_app_projectID_name_key" ON "target_app"("projectID", "name");

-- CreateIndex
CREATE INDEX "unit_id_type_projectID_createdTime_id_idx" ON "unit_id_type"("projectID", "createdTime" DESC, "id");

-- What existing entities name, and what every project has, becomes tags, target apps and unit ID types, each with its change.
WITH "carrier" AS (
    SELECT "projectID", "entity"::jsonb AS "entity" FROM "gate"
    UNION ALL SELECT "projectID", "entity"::jsonb FROM "dynamic_config"
    UNION ALL SELECT "projectID", "entity"::jsonb FROM "experiment"
    UNION ALL SELECT "projectID", "entity"::jsonb FROM "layer"
    UNION ALL SELECT "projectID", "entity"::jsonb FROM "metric_source"
    UNION ALL SELECT "projectID", "entity"::jsonb FROM "param_store"
    UNION ALL SELECT "projectID", "entity"::jsonb FROM "prompt"
    UNION ALL SELECT "projectID", "entity"::jsonb FROM "segment"
    UNION ALL SELECT "projectID", "entity"::jsonb FROM "team"
), "named" AS (
    SELECT "projectID", 'tag' AS "type", jsonb_array_elements_text("entity" -> 'tags') AS "name" FROM "carrier"
    UNION SELECT "projectID", 'target_app', jsonb_array_elements_text("entity" -> 'targetApps') FROM "carrier"
    UNION SELECT "projectID", 'target_app', jsonb_array_elements_text("entity" -> 'targetAppIDs') FROM "carrier"
    UNION SELECT "projectID", 'target_app', jsonb_array_elements_text("entity" -> 'defaultTargetApplications') FROM "carrier"
    UNION SELECT "projectID", 'unit_id_type', "entity" ->> 'idType' FROM "carrier" WHERE "entity" ->> 'idType' <> ''
    UNION SELECT "projectID", 'unit_id_type', jsonb_path_query("entity", '$.idTypeMapping[*].serviceUnitID') #>> '{}' FROM "carrier"
    UNION SELECT "projectID", 'unit_id_type', jsonb_path_query("entity", '$.rules[*].conditions[*] ? (@.type == "unit_id" && @.customID != null && @.customID != "").customID') #>> '{}' FROM "carrier"
    UNION SELECT "id", 'tag', '★ Core' FROM "project"
    UNION SELECT "id", 'unit_id_type', unnest(ARRAY['userID', 'stableID']) FROM "project"
), "made" AS (
    SELECT "projectID", "type", "name", floor(extract(epoch FROM now()) * 1000)::bigint AS "time",
        CASE "type" WHEN 'unit_id_type' THEN "name" ELSE left(replace(gen_random_uuid()::text, '-', ''), 22) END AS "id"
    FROM "named"
), "whole" AS (
    SELECT *, format('{"id":%s,"name":%s,"description":"",%s"creatorID":"system","creatorName":"GATEHOUSE","creatorEmail":null,"createdTime":%s,"lastModifierID":"system","lastModifierName":"GATEHOUSE","lastModifierEmail":null,"lastModifiedTime":%s,"version":1}',
        to_json("id"), to_json("name"), CASE "type" WHEN 'tag' THEN format('"isCore":%s,', to_json("name" = '★ Core')) ELSE '' END, "time", "time") AS "entity"
    FROM "made"
), "tags" AS (
    INSERT INTO "tag" ("projectID", "id", "name", "version", "createdTime", "entity")
    SELECT "projectID", "id", "name", 1, "time", "entity" FROM "whole" WHERE "type" = 'tag'
), "apps" AS (
    INSERT INTO "target_app" ("projectID", "id", "name", "version", "createdTime", "entity")
    SELECT "projectID", "id", "name", 1, "time", "entity" FROM "whole" WHERE "type" = 'target_app'
), "unit_id_types" AS (
    INSERT INTO "unit_id_type" ("projectID", "id", "version", "createdTime", "entity")
    SELECT "projectID", "id", 1, "time", "entity" FROM "whole" WHERE "type" = 'unit_id_type'
)
INSERT INTO "change" ("projectID", "time", "actorID", "actorName", "operationID", "entityType", "entityID", "version", "after")
SELECT "projectID", "time", 'system', 'GATEHOUSE', 'migrate', "type", "id", 1, "entity" FROM "whole";

-- AlterTable. No segment could be archived before.
ALTER TABLE "segment" ADD COLUMN     "isArchived" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "segment" ALTER COLUMN "isArchived" DROP DEFAULT;

-- CreateTable
CREATE TABLE "segment_id" (
    "projectID" TEXT NOT NULL,
    "segmentID" TEXT NOT NULL,
    "id" TEXT COLLATE "C" NOT NULL,

    CONSTRAINT "segment_id_pkey" PRIMARY KEY ("projectID","segmentID","id")
);

-- CreateTable
CREATE TABLE "segment_id_change" (
    "projectID" TEXT NOT NULL,
    "segmentID" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "start" BIGINT NOT NULL,
    "lines" TEXT NOT NULL,

    CONSTRAINT "segment_id_change_pkey" PRIMARY KEY ("projectID","segmentID","version")
);
