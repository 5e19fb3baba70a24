-- CreateTable
CREATE TABLE "ingestion_day" (
    "projectID" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "day" INTEGER NOT NULL,
    "told" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "pass" INTEGER NOT NULL,
    "cursor" TEXT NOT NULL,
    "seen" BIGINT NOT NULL,
    "refused" BIGINT NOT NULL,
    "message" TEXT,
    "rows" BIGINT,
    "copied" BIGINT NOT NULL,
    "updatedTime" BIGINT NOT NULL,

    CONSTRAINT "ingestion_day_pkey" PRIMARY KEY ("projectID","source","day")
);

-- CreateTable
CREATE TABLE "ingestion_rows" (
    "projectID" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "day" INTEGER NOT NULL,
    "pass" INTEGER NOT NULL,
    "first" TEXT NOT NULL,
    "last" TEXT NOT NULL,
    "identities" TEXT NOT NULL,

    CONSTRAINT "ingestion_rows_pkey" PRIMARY KEY ("projectID","source","day","first","pass")
);

-- CreateTable
CREATE TABLE "ingestion_count" (
    "projectID" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "day" INTEGER NOT NULL,
    "event" TEXT NOT NULL,
    "copied" BIGINT NOT NULL,
    "seen" BIGINT NOT NULL,
    "found" BIGINT NOT NULL,
    "updatedTime" BIGINT NOT NULL,

    CONSTRAINT "ingestion_count_pkey" PRIMARY KEY ("projectID","source","day","event")
);
