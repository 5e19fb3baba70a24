-- CreateTable
CREATE TABLE "autotune" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "creatorID" TEXT,
    "creatorName" TEXT,
    "idType" TEXT NOT NULL,
    "tags" TEXT[],
    "targetApps" TEXT[],
    "isRunning" BOOLEAN NOT NULL,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],
    "entity" TEXT NOT NULL,

    CONSTRAINT "autotune_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "autotune_progress" (
    "projectID" TEXT NOT NULL,
    "autotuneID" TEXT NOT NULL,
    "startTime" BIGINT NOT NULL,
    "beginTime" BIGINT NOT NULL,
    "lookTime" BIGINT,
    "learned" TEXT NOT NULL,

    CONSTRAINT "autotune_progress_pkey" PRIMARY KEY ("projectID","autotuneID")
);

-- CreateIndex
CREATE INDEX "autotune_projectID_createdTime_id_idx" ON "autotune"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE INDEX "autotune_tags_idx" ON "autotune" USING GIN ("tags");

-- CreateIndex
CREATE INDEX "autotune_projectID_lastModifiedTime_id_idx" ON "autotune"("projectID", "lastModifiedTime" DESC, "id");

-- CreateIndex
CREATE INDEX "autotune_projectID_sortName_id_idx" ON "autotune"("projectID", "sortName", "id");

-- CreateIndex
CREATE INDEX "autotune_searchGrams_idx" ON "autotune" USING GIN ("searchGrams");
