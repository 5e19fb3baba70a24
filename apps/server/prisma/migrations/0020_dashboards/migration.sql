-- Works with servers whose last migration is 0019_comments, which do not know the table.
-- Pages of charts that people compose.

-- CreateTable
CREATE TABLE "dashboard" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "tags" TEXT[],
    "teamID" TEXT,
    "ownerID" TEXT,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "dashboard_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateIndex
CREATE INDEX "dashboard_projectID_createdTime_id_idx" ON "dashboard"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE INDEX "dashboard_projectID_lastModifiedTime_id_idx" ON "dashboard"("projectID", "lastModifiedTime" DESC, "id");

-- CreateIndex
CREATE INDEX "dashboard_projectID_sortName_id_idx" ON "dashboard"("projectID", "sortName", "id");

-- CreateIndex
CREATE INDEX "dashboard_searchGrams_idx" ON "dashboard" USING GIN ("searchGrams");
