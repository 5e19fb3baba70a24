-- CreateTable
CREATE TABLE "role" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "permissions" TEXT[],
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "role_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateIndex
CREATE INDEX "role_projectID_createdTime_id_idx" ON "role"("projectID", "createdTime" DESC, "id");

-- AlterTable
ALTER TABLE "key" ADD COLUMN     "role" TEXT;

-- Keys that exist keep what they may do: their scopes alone decide.
UPDATE "key" SET "entity" = left("entity", -1) || ',"role":null}';
