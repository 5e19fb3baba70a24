-- CreateTable
-- Unlogged, so that a lease waits for no disk. A crash empties it, and windows begin anew.
CREATE UNLOGGED TABLE "write_lease" (
    "projectID" TEXT NOT NULL,
    "actorID" TEXT NOT NULL,
    "windowStart" BIGINT NOT NULL,
    "leased" INTEGER NOT NULL,
    "granted" INTEGER NOT NULL,

    CONSTRAINT "write_lease_pkey" PRIMARY KEY ("projectID","actorID")
);
