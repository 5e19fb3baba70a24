-- Works with servers whose last migration is 0023_list_filters, which do not know the table.
-- Notes on results.

-- CreateTable
CREATE TABLE "result_note" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entityType" TEXT NOT NULL,
    "entityID" TEXT NOT NULL,
    "entityCreatedTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "result_note_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateIndex
CREATE INDEX "result_note_projectID_entityType_entityID_createdTime_id_idx" ON "result_note"("projectID", "entityType", "entityID", "createdTime" DESC, "id");
