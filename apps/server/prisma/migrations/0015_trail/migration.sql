-- AlterTable
ALTER TABLE "change" ADD COLUMN     "actorEmail" TEXT,
ADD COLUMN     "address" TEXT,
ADD COLUMN     "requestID" TEXT,
ADD COLUMN     "signature" TEXT,
ADD COLUMN     "userAgent" TEXT;

-- CreateTable
CREATE TABLE "seal" (
    "projectID" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    "seal" TEXT NOT NULL,
    "droppedFrom" BIGINT,
    "dropProof" TEXT,

    CONSTRAINT "seal_pkey" PRIMARY KEY ("projectID","seq")
);

-- CreateTable
CREATE TABLE "sealing" (
    "id" INTEGER NOT NULL,
    "since" BIGINT NOT NULL,
    "proof" TEXT NOT NULL,

    CONSTRAINT "sealing_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "repeated_event" (
    "projectID" TEXT NOT NULL,
    "entityType" TEXT NOT NULL,
    "operationID" TEXT NOT NULL,
    "actorID" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "windowStart" BIGINT NOT NULL,
    "count" INTEGER NOT NULL,
    "event" TEXT NOT NULL,

    CONSTRAINT "repeated_event_pkey" PRIMARY KEY ("projectID","entityType","operationID","actorID","address")
);

-- CreateTable
CREATE TABLE "key_address" (
    "projectID" TEXT NOT NULL,
    "keyID" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "time" BIGINT NOT NULL,

    CONSTRAINT "key_address_pkey" PRIMARY KEY ("projectID","keyID","address")
);

-- CreateIndex
CREATE INDEX "repeated_event_windowStart_idx" ON "repeated_event"("windowStart");

-- CreateIndex
CREATE INDEX "change_time_idx" ON "change" USING BRIN ("time");

-- As before, but no replica is told of a row that changes neither lists nor the ruleset, such as a sign-in.
CREATE OR REPLACE FUNCTION "number_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    next BIGINT;
BEGIN
    UPDATE "project" SET
        "lastSeq" = "lastSeq" + 1,
        "listSeq" = CASE WHEN NEW."altersLists" THEN "lastSeq" + 1 ELSE "listSeq" END,
        "rulesetTime" = CASE WHEN NEW."movesRuleset" THEN greatest("rulesetTime" + 1, NEW."time") ELSE "rulesetTime" END
    WHERE "id" = NEW."projectID" RETURNING "lastSeq" INTO STRICT next;
    UPDATE "change" SET "seq" = next WHERE "projectID" = NEW."projectID" AND "id" = NEW."id";
    IF NEW."altersLists" OR NEW."movesRuleset" THEN
        PERFORM pg_notify('gatehouse_change', NEW."projectID");
    END IF;
    RETURN NULL;
END
$$;
