-- Works with servers whose last migration is 0015_source_labels, which do not know the table.
-- The SDKs that send requests.

-- CreateTable
CREATE TABLE "sdk_report" (
    "projectID" TEXT NOT NULL,
    "keyID" TEXT NOT NULL,
    "day" INTEGER NOT NULL,
    "sdk" TEXT NOT NULL,
    "sdkVersion" TEXT NOT NULL,
    "outcome" INTEGER NOT NULL,
    "count" BIGINT NOT NULL,
    "lastTime" BIGINT NOT NULL,
    "detail" TEXT,

    CONSTRAINT "sdk_report_pkey" PRIMARY KEY ("projectID","keyID","day","sdk","sdkVersion","outcome")
);

-- CreateIndex
CREATE INDEX "sdk_report_day_idx" ON "sdk_report"("day");
