-- The events that exist move into a partitioned table, which no table can be turned into.
ALTER TABLE "event" RENAME TO "event_before";
ALTER TABLE "event_before" RENAME CONSTRAINT "event_pkey" TO "event_before_pkey";
ALTER SEQUENCE "event_id_seq" RENAME TO "event_before_id_seq";

-- CreateTable
CREATE TABLE "event" (
    "projectID" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "time" BIGINT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "day" INTEGER NOT NULL,
    "source" TEXT NOT NULL,
    "userID" TEXT NOT NULL,
    "customIDs" TEXT,
    "value" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "exposed" TEXT,
    "ruleID" TEXT,
    "metadata" TEXT NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("projectID","name","time","id","day")
) PARTITION BY RANGE ("day");

-- CreateTable
CREATE TABLE "event_count" (
    "projectID" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "day" INTEGER NOT NULL,
    "count" BIGINT NOT NULL,
    "firstTime" BIGINT NOT NULL,
    "lastTime" BIGINT NOT NULL,

    CONSTRAINT "event_count_pkey" PRIMARY KEY ("projectID","name","day")
);

-- When they arrived was not kept: they count from today, so that none is forgotten too early.
DO $$
DECLARE
    today INTEGER := floor(extract(epoch FROM now()) / 86400);
BEGIN
    IF NOT EXISTS (SELECT FROM "event_before") THEN
        RETURN;
    END IF;
    EXECUTE format('CREATE TABLE %I PARTITION OF "event" FOR VALUES FROM (%s) TO (%s)',
        'event_' || to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM_DD'), today, today + 1);
    INSERT INTO "event" ("projectID", "name", "time", "id", "day", "source", "userID", "value", "environment", "metadata", "exposed", "ruleID")
    SELECT "projectID", "name", "time", "id", today, "entity"::json ->> 'source', "entity"::json ->> 'userID', "entity"::json ->> 'value', '',
        ("entity"::json -> 'metadata')::text,
        CASE "name"
            WHEN 'statsig::gate_exposure' THEN "entity"::json #>> '{metadata,gate}'
            WHEN 'statsig::config_exposure' THEN "entity"::json #>> '{metadata,config}'
            WHEN 'statsig::layer_exposure' THEN "entity"::json #>> '{metadata,allocatedExperiment}'
        END,
        CASE WHEN "name" IN ('statsig::gate_exposure', 'statsig::config_exposure', 'statsig::layer_exposure') THEN "entity"::json #>> '{metadata,ruleID}' END
    FROM "event_before";
    INSERT INTO "event_count" ("projectID", "name", "day", "count", "firstTime", "lastTime")
    SELECT "projectID", "name", today, count(*), min("time"), max("time") FROM "event" GROUP BY "projectID", "name";
    PERFORM setval('event_id_seq', (SELECT max("id") FROM "event"));
END
$$;

-- DropTable
DROP TABLE "event_before";

-- DropTable
DROP TABLE "event_name";

-- CreateTable
CREATE TABLE "event_receipt" (
    "projectID" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "time" BIGINT NOT NULL,

    CONSTRAINT "event_receipt_pkey" PRIMARY KEY ("projectID","key")
);

-- CreateTable
CREATE TABLE "experiment_exposure" (
    "projectID" TEXT NOT NULL,
    "experimentID" TEXT NOT NULL,
    "groupID" TEXT NOT NULL,
    "unitID" TEXT NOT NULL,
    "firstTime" BIGINT NOT NULL,

    CONSTRAINT "experiment_exposure_pkey" PRIMARY KEY ("projectID","experimentID","groupID","unitID")
);

-- CreateTable
CREATE TABLE "experiment_exposure_count" (
    "projectID" TEXT NOT NULL,
    "experimentID" TEXT NOT NULL,
    "groupID" TEXT NOT NULL,
    "day" INTEGER NOT NULL,
    "units" BIGINT NOT NULL,

    CONSTRAINT "experiment_exposure_count_pkey" PRIMARY KEY ("projectID","experimentID","groupID","day")
);

-- CreateIndex
CREATE INDEX "event_receipt_time_idx" ON "event_receipt"("time");
