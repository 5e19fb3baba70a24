-- CreateTable
CREATE TABLE "dropped_event_day" (
    "day" INTEGER NOT NULL,

    CONSTRAINT "dropped_event_day_pkey" PRIMARY KEY ("day")
);

-- The days that were dropped since events are kept: from the first kept event to the first day that is stored.
INSERT INTO "dropped_event_day" ("day")
SELECT "day" FROM generate_series(
    (SELECT min("day") FROM "kept_event"),
    (SELECT min(substring(pg_get_expr(relpartbound, oid) from '[(]([0-9]+)[)]')::int) FROM pg_inherits JOIN pg_class ON oid = inhrelid
        WHERE inhparent = 'event'::regclass) - 1
) AS "day";
