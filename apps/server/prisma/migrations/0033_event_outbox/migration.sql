-- CreateTable
CREATE TABLE "event_outbox" (
    "id" BIGSERIAL NOT NULL,
    "events" TEXT,
    "experimentExposures" TEXT,
    "checkExposures" TEXT,
    "deletion" TEXT,
    "size" INTEGER NOT NULL,
    "parcel" TEXT,
    "claimedTime" BIGINT,

    CONSTRAINT "event_outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "event_engine" (
    "name" TEXT NOT NULL,

    CONSTRAINT "event_engine_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "event_outbox_parcel_idx" ON "event_outbox"("parcel");

-- CreateIndex
CREATE INDEX "event_outbox_claimedTime_idx" ON "event_outbox"("claimedTime");
