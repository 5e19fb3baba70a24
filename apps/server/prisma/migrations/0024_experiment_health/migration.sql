-- CreateTable
CREATE TABLE "experiment_health" (
    "projectID" TEXT NOT NULL,
    "experimentID" TEXT NOT NULL,
    "startTime" BIGINT NOT NULL,
    "checkedTime" BIGINT NOT NULL,
    "checks" TEXT NOT NULL,

    CONSTRAINT "experiment_health_pkey" PRIMARY KEY ("projectID","experimentID")
);
