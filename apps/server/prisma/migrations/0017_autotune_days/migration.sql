-- Works with servers whose last migration is 0016_sdk_reports, which do not know the table.
-- What was found out about the variants of autotunes on each day.

-- CreateTable
CREATE TABLE "autotune_day" (
    "projectID" TEXT NOT NULL,
    "autotuneID" TEXT NOT NULL,
    "day" INTEGER NOT NULL,
    "startTime" BIGINT NOT NULL,
    "checkedTime" BIGINT NOT NULL,
    "variants" TEXT NOT NULL,

    CONSTRAINT "autotune_day_pkey" PRIMARY KEY ("projectID","autotuneID","day")
);
