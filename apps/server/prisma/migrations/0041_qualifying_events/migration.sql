-- CreateTable
CREATE TABLE "qualifying_event" (
    "projectID" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],
    "entity" TEXT NOT NULL,

    CONSTRAINT "qualifying_event_pkey" PRIMARY KEY ("projectID","name")
);

-- CreateIndex
CREATE INDEX "qualifying_event_projectID_createdTime_name_idx" ON "qualifying_event"("projectID", "createdTime" DESC, "name");

-- CreateIndex
CREATE INDEX "qualifying_event_projectID_lastModifiedTime_name_idx" ON "qualifying_event"("projectID", "lastModifiedTime" DESC, "name");

-- CreateIndex
CREATE INDEX "qualifying_event_projectID_sortName_name_idx" ON "qualifying_event"("projectID", "sortName", "name");

-- CreateIndex
CREATE INDEX "qualifying_event_searchGrams_idx" ON "qualifying_event" USING GIN ("searchGrams");
