-- Works with servers whose last migration is 0001_baseline.

-- CreateTable
CREATE TABLE "sample_project" (
    "projectID" TEXT NOT NULL,
    "endTime" BIGINT NOT NULL,
    "step" INTEGER NOT NULL,
    "readyTime" BIGINT,

    CONSTRAINT "sample_project_pkey" PRIMARY KEY ("projectID")
);
