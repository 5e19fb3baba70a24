-- DropIndex
DROP INDEX "dynamic_config_referencedGates_idx";

-- AlterTable
ALTER TABLE "dynamic_config" DROP COLUMN "referencedGates";

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
    "dueTime" = (SELECT min(("due" ->> 'time')::bigint) FROM jsonb_path_query("entity"::jsonb, '$.rules[*].pendingAutomatedRollouts[*]') AS "due"),
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
CREATE INDEX "dynamic_config_tags_idx" ON "dynamic_config" USING GIN ("tags");

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
