-- CreateTable
CREATE TABLE "assignment_source" (
    "projectID" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],
    "entity" TEXT NOT NULL,

    CONSTRAINT "assignment_source_pkey" PRIMARY KEY ("projectID","name")
);

-- CreateIndex
CREATE INDEX "assignment_source_projectID_createdTime_name_idx" ON "assignment_source"("projectID", "createdTime" DESC, "name");

-- CreateIndex
CREATE INDEX "assignment_source_projectID_lastModifiedTime_name_idx" ON "assignment_source"("projectID", "lastModifiedTime" DESC, "name");

-- CreateIndex
CREATE INDEX "assignment_source_projectID_sortName_name_idx" ON "assignment_source"("projectID", "sortName", "name");

-- CreateIndex
CREATE INDEX "assignment_source_searchGrams_idx" ON "assignment_source" USING GIN ("searchGrams");

-- The assignment sources that experiments name already. None of them exists, but one of that name may be created.
INSERT INTO "reference" ("projectID", "fromType", "fromID", "fromTime", "toType", "toID")
SELECT "projectID", 'experiment', "id", "createdTime", 'assignment_source', "entity"::jsonb ->> 'assignmentSourceName'
FROM "experiment" WHERE "status" <> 'archived' AND "entity"::jsonb ->> 'assignmentSourceName' <> ''
ON CONFLICT DO NOTHING;
