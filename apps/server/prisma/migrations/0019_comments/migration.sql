-- Works with servers whose last migration is 0018_more_labels, which do not know the table.
-- Comments on entities.

-- CreateTable
CREATE TABLE "comment" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entityType" TEXT NOT NULL,
    "entityID" TEXT NOT NULL,
    "entityCreatedTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "comment_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateIndex
CREATE INDEX "comment_projectID_entityType_entityID_createdTime_id_idx" ON "comment"("projectID", "entityType", "entityID", "createdTime" DESC, "id");
