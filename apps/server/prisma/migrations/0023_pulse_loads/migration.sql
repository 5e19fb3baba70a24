-- CreateTable
CREATE TABLE "pulse_load" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "experimentID" TEXT NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "creatorName" TEXT,
    "reloadType" TEXT NOT NULL,
    "turboMode" BOOLEAN NOT NULL,
    "startTime" BIGINT NOT NULL,
    "endTime" BIGINT NOT NULL,
    "metrics" TEXT NOT NULL,
    "jobs" TEXT NOT NULL,
    "runner" TEXT,
    "leasedUntil" BIGINT NOT NULL,
    "finishedTime" BIGINT,
    "finishedState" TEXT,

    CONSTRAINT "pulse_load_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "pulse_moments" (
    "projectID" TEXT NOT NULL,
    "experimentID" TEXT NOT NULL,
    "metricID" TEXT NOT NULL,
    "startTime" BIGINT NOT NULL,
    "endTime" BIGINT NOT NULL,
    "loadedTime" BIGINT NOT NULL,
    "version" INTEGER,
    "latest" TEXT NOT NULL,
    "daily" TEXT,

    CONSTRAINT "pulse_moments_pkey" PRIMARY KEY ("projectID","experimentID","metricID")
);

-- CreateIndex
CREATE INDEX "pulse_load_projectID_experimentID_createdTime_id_idx" ON "pulse_load"("projectID", "experimentID", "createdTime" DESC, "id");

-- CreateIndex
CREATE INDEX "pulse_load_finishedTime_leasedUntil_idx" ON "pulse_load"("finishedTime", "leasedUntil");
