-- CreateTable
CREATE TABLE "ingestion_run" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "dataset" TEXT NOT NULL,
    "trigger" TEXT NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "creatorName" TEXT,
    "isPlanned" BOOLEAN NOT NULL,
    "history" TEXT NOT NULL,
    "updatedTime" BIGINT NOT NULL,
    "runner" TEXT,
    "leasedUntil" BIGINT NOT NULL,
    "finishedTime" BIGINT,

    CONSTRAINT "ingestion_run_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "ingestion_run_day" (
    "projectID" TEXT NOT NULL,
    "runID" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "day" INTEGER NOT NULL,
    "history" TEXT NOT NULL,
    "rows" BIGINT NOT NULL,
    "copied" BIGINT NOT NULL,
    "refused" BIGINT NOT NULL,
    "message" TEXT,

    CONSTRAINT "ingestion_run_day_pkey" PRIMARY KEY ("projectID","runID","source","day")
);

-- CreateTable
CREATE TABLE "ingestion_source" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "dataset" TEXT NOT NULL,
    "isEnabled" BOOLEAN NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],
    "entity" TEXT NOT NULL,

    CONSTRAINT "ingestion_source_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "ingestion_schedule" (
    "projectID" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "ingestion_schedule_pkey" PRIMARY KEY ("projectID")
);

-- CreateIndex
CREATE INDEX "ingestion_run_projectID_createdTime_idx" ON "ingestion_run"("projectID", "createdTime" DESC);

-- CreateIndex
CREATE INDEX "ingestion_run_finishedTime_leasedUntil_idx" ON "ingestion_run"("finishedTime", "leasedUntil");

-- CreateIndex
CREATE INDEX "ingestion_source_projectID_createdTime_id_idx" ON "ingestion_source"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE INDEX "ingestion_source_projectID_lastModifiedTime_id_idx" ON "ingestion_source"("projectID", "lastModifiedTime" DESC, "id");

-- CreateIndex
CREATE INDEX "ingestion_source_projectID_sortName_id_idx" ON "ingestion_source"("projectID", "sortName", "id");

-- CreateIndex
CREATE INDEX "ingestion_source_searchGrams_idx" ON "ingestion_source" USING GIN ("searchGrams");
