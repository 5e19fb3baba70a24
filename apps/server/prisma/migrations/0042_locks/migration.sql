-- CreateTable
CREATE TABLE "lock_slot" (
    "id" INTEGER NOT NULL,

    CONSTRAINT "lock_slot_pkey" PRIMARY KEY ("id")
);

INSERT INTO "lock_slot" ("id") SELECT generate_series(0, 1023);
