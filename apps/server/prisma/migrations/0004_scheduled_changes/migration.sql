-- Works with servers whose last migration is 0003_attributes, which do not know the table.
-- People schedule writes for a later time.

CREATE TABLE "scheduled_change" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "status" TEXT NOT NULL,
    "applyAt" BIGINT NOT NULL,
    "dueTime" BIGINT,
    "authorID" TEXT NOT NULL,
    "entityTypes" TEXT[],
    "entityKeys" TEXT[],
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "scheduled_change_pkey" PRIMARY KEY ("projectID","id")
);

CREATE INDEX "scheduled_change_dueTime_idx" ON "scheduled_change"("dueTime");

CREATE INDEX "scheduled_change_applyAt_idx" ON "scheduled_change"("applyAt");

CREATE INDEX "scheduled_change_projectID_applyAt_id_idx" ON "scheduled_change"("projectID", "applyAt", "id");
