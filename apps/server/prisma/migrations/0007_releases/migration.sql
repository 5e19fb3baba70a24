-- Works with servers whose last migration is 0006_reviews, which do not know the table.
-- Changes of gates and dynamic configs reach users in the phases of release pipelines.

CREATE TABLE "release" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "releasePipelineID" TEXT NOT NULL,
    "gateID" TEXT,
    "dynamicConfigID" TEXT,
    "status" TEXT NOT NULL,
    "dueTime" BIGINT,
    "endedTime" BIGINT,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "release_pkey" PRIMARY KEY ("projectID","id")
);

CREATE INDEX "release_dueTime_idx" ON "release"("dueTime");

CREATE INDEX "release_endedTime_idx" ON "release"("endedTime");

CREATE INDEX "release_projectID_createdTime_id_idx" ON "release"("projectID", "createdTime" DESC, "id");

CREATE INDEX "release_projectID_gateID_idx" ON "release"("projectID", "gateID");

CREATE INDEX "release_projectID_dynamicConfigID_idx" ON "release"("projectID", "dynamicConfigID");

CREATE INDEX "release_projectID_releasePipelineID_idx" ON "release"("projectID", "releasePipelineID");
