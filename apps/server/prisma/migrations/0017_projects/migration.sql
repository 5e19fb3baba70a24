-- AlterTable
ALTER TABLE "one_time_token" ADD COLUMN     "projectID" TEXT;

-- AlterTable
ALTER TABLE "project" ADD COLUMN     "deletedTime" BIGINT;

-- CreateTable
CREATE TABLE "project_entry" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "project_entry_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateIndex
CREATE INDEX "project_entry_projectID_createdTime_id_idx" ON "project_entry"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE INDEX "one_time_token_personID_idx" ON "one_time_token"("personID");

-- CreateIndex
CREATE INDEX "one_time_token_projectID_idx" ON "one_time_token"("projectID");

-- The projects of today. Whoever made them is not known.
INSERT INTO "project_entry" ("projectID", "id", "version", "createdTime", "entity")
SELECT 'instance', id, 1, "createdTime", json_build_object(
  'id', id, 'name', name,
  'creatorID', 'system', 'creatorName', 'GATEHOUSE', 'creatorEmail', null, 'createdTime', "createdTime",
  'lastModifierID', 'system', 'lastModifierName', 'GATEHOUSE', 'lastModifierEmail', null, 'lastModifiedTime', "createdTime",
  'version', 1
)::text FROM "project" WHERE id <> 'instance';
