-- Works with servers whose last migration is 0005_more_owners, which do not know the table.
-- Changes that need a review are stored until they are approved.

CREATE TABLE "review" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "status" TEXT NOT NULL,
    "isOpen" BOOLEAN NOT NULL,
    "endedTime" BIGINT,
    "authorID" TEXT NOT NULL,
    "reviewerIDs" TEXT[],
    "approverIDs" TEXT[],
    "waitingFor" TEXT[],
    "entityTypes" TEXT[],
    "entityKeys" TEXT[],
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "review_pkey" PRIMARY KEY ("projectID","id")
);

CREATE INDEX "review_projectID_createdTime_id_idx" ON "review"("projectID", "createdTime", "id");

CREATE INDEX "review_projectID_isOpen_createdTime_idx" ON "review"("projectID", "isOpen", "createdTime");

CREATE INDEX "review_endedTime_idx" ON "review"("endedTime");

-- New projects had this flag for production although it had no effect. The server turns it off, in a change of its own.
ALTER TABLE "environment_set" ADD COLUMN "ignoresReviews" BOOLEAN NOT NULL DEFAULT false;

UPDATE "environment_set" SET "ignoresReviews" = true WHERE "entity" LIKE '%"requiresReview":true%';
