-- CreateTable
CREATE TABLE "alert_look" (
    "projectID" TEXT NOT NULL,
    "alertID" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "beginTime" BIGINT NOT NULL,
    "state" TEXT NOT NULL,

    CONSTRAINT "alert_look_pkey" PRIMARY KEY ("projectID","alertID")
);

-- CreateTable
CREATE TABLE "alert_event" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "alertID" TEXT NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "event" TEXT NOT NULL,

    CONSTRAINT "alert_event_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "alert" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "creatorID" TEXT,
    "creatorName" TEXT,
    "tags" TEXT[],
    "looksEveryMs" BIGINT NOT NULL,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],
    "entity" TEXT NOT NULL,

    CONSTRAINT "alert_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateIndex
CREATE INDEX "alert_event_projectID_alertID_number_idx" ON "alert_event"("projectID", "alertID", "number" DESC);

-- CreateIndex
CREATE INDEX "alert_projectID_createdTime_id_idx" ON "alert"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE INDEX "alert_tags_idx" ON "alert" USING GIN ("tags");

-- CreateIndex
CREATE INDEX "alert_projectID_lastModifiedTime_id_idx" ON "alert"("projectID", "lastModifiedTime" DESC, "id");

-- CreateIndex
CREATE INDEX "alert_projectID_sortName_id_idx" ON "alert"("projectID", "sortName", "id");

-- CreateIndex
CREATE INDEX "alert_searchGrams_idx" ON "alert" USING GIN ("searchGrams");
