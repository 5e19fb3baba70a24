-- AlterTable
ALTER TABLE "event" ADD COLUMN     "secondaryExposures" TEXT,
ADD COLUMN     "userFields" TEXT;

-- AlterTable
ALTER TABLE "experiment_exposure" ADD COLUMN     "environment" TEXT,
ADD COLUMN     "userFields" TEXT;

-- CreateTable
CREATE TABLE "gate_rule_checks" (
    "projectID" TEXT NOT NULL,
    "gateID" TEXT NOT NULL,
    "hour" BIGINT NOT NULL,
    "environment" TEXT NOT NULL,
    "ruleID" TEXT NOT NULL,
    "passes" BIGINT NOT NULL,
    "fails" BIGINT NOT NULL,

    CONSTRAINT "gate_rule_checks_pkey" PRIMARY KEY ("projectID","gateID","hour","environment","ruleID")
);

-- CreateTable
CREATE TABLE "check_exposure" (
    "projectID" TEXT NOT NULL,
    "entityType" TEXT NOT NULL,
    "entityID" TEXT NOT NULL,
    "ruleID" TEXT NOT NULL,
    "passed" BOOLEAN NOT NULL,
    "unitID" TEXT NOT NULL,
    "firstTime" BIGINT NOT NULL,
    "environment" TEXT NOT NULL,
    "userFields" TEXT,

    CONSTRAINT "check_exposure_pkey" PRIMARY KEY ("projectID","entityType","entityID","ruleID","passed","unitID")
);

-- CreateTable
CREATE TABLE "kept_event" (
    "projectID" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "time" BIGINT NOT NULL,
    "id" BIGINT NOT NULL,
    "day" INTEGER NOT NULL,
    "source" TEXT NOT NULL,
    "userID" TEXT NOT NULL,
    "customIDs" TEXT,
    "value" TEXT NOT NULL,
    "environment" TEXT NOT NULL,
    "exposed" TEXT,
    "ruleID" TEXT,
    "metadata" TEXT NOT NULL,
    "userFields" TEXT,
    "secondaryExposures" TEXT,

    CONSTRAINT "kept_event_pkey" PRIMARY KEY ("projectID","name","time","id","day")
);

-- CreateTable
CREATE TABLE "kept_unit" (
    "projectID" TEXT NOT NULL,
    "run" TEXT NOT NULL,
    "idType" TEXT NOT NULL,
    "unitID" TEXT NOT NULL,
    "fromTime" BIGINT NOT NULL,

    CONSTRAINT "kept_unit_pkey" PRIMARY KEY ("projectID","run","idType","unitID")
);

-- CreateIndex
CREATE INDEX "kept_event_day_idx" ON "kept_event"("day");

-- CreateIndex
CREATE INDEX "event_projectID_exposed_day_id_idx" ON "event"("projectID", "exposed", "day", "id") WHERE (exposed IS NOT NULL);
