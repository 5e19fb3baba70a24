-- Works with servers whose last migration is 0012_prompt_evaluations, which do not know the tables.
-- Notifications of people, and how far the change log was read for them.

-- CreateTable
CREATE TABLE "notification" (
    "projectID" TEXT NOT NULL,
    "personID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "time" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "entityType" TEXT NOT NULL,
    "readTime" BIGINT,
    "event" TEXT NOT NULL,

    CONSTRAINT "notification_pkey" PRIMARY KEY ("projectID","personID","id")
);

-- CreateTable
CREATE TABLE "notification_progress" (
    "projectID" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "experimentsTime" BIGINT NOT NULL,

    CONSTRAINT "notification_progress_pkey" PRIMARY KEY ("projectID")
);

-- CreateTable
CREATE TABLE "notification_settings" (
    "projectID" TEXT NOT NULL,
    "personID" TEXT NOT NULL,
    "muted" TEXT[],

    CONSTRAINT "notification_settings_pkey" PRIMARY KEY ("projectID","personID")
);

-- CreateIndex
CREATE INDEX "notification_projectID_personID_time_seq_idx" ON "notification"("projectID", "personID", "time" DESC, "seq" DESC);

-- CreateIndex
CREATE INDEX "notification_unread" ON "notification"("projectID", "personID", "kind") WHERE ("readTime" IS NULL);

-- CreateIndex
CREATE INDEX "notification_time_idx" ON "notification"("time");

-- Changes before the migration notify no one.
INSERT INTO "notification_progress" ("projectID", "position", "experimentsTime")
SELECT "id", "lastSeq", (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT FROM "project";
