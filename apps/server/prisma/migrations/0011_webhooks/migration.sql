-- Works with servers whose last migration is 0010_repeating_changes, which do not know the tables.
-- Webhooks of projects, and the events that they get.

-- CreateTable
CREATE TABLE "webhook" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "webhook_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "webhook_progress" (
    "projectID" TEXT NOT NULL,
    "webhookID" TEXT NOT NULL,
    "startVersion" INTEGER NOT NULL,
    "position" BIGINT,

    CONSTRAINT "webhook_progress_pkey" PRIMARY KEY ("projectID","webhookID")
);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "projectID" TEXT NOT NULL,
    "webhookID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "entityType" TEXT NOT NULL,
    "entityID" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "eventTime" BIGINT NOT NULL,
    "status" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "dueTime" BIGINT,
    "firstAttemptTime" BIGINT,
    "lastAttemptTime" BIGINT,
    "endedTime" BIGINT,
    "responseStatus" INTEGER,
    "responseBody" TEXT,
    "reason" TEXT,

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("projectID","webhookID","seq")
);

-- CreateIndex
CREATE INDEX "webhook_projectID_createdTime_id_idx" ON "webhook"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_due" ON "webhook_delivery"("projectID", "webhookID", "dueTime") WHERE "dueTime" IS NOT NULL;

-- CreateIndex
CREATE INDEX "webhook_delivery_waiting" ON "webhook_delivery"("projectID", "webhookID", "entityType", "entityID", "seq") WHERE "dueTime" IS NOT NULL;

-- CreateIndex
CREATE INDEX "webhook_delivery_endedTime_idx" ON "webhook_delivery"("endedTime");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_delivery_projectID_id_key" ON "webhook_delivery"("projectID", "id");
