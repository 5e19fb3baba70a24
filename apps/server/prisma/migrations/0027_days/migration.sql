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

-- Days of results are those of the project's time zone.
ALTER TABLE "settings" ADD COLUMN "timeZone" TEXT NOT NULL DEFAULT 'UTC';
ALTER TABLE "settings" ALTER COLUMN "timeZone" DROP DEFAULT;
UPDATE "settings" SET "entity" = left("entity", -1) || ',"timeZone":"UTC"}';

ALTER TABLE "pulse_load" ADD COLUMN "timeZone" TEXT NOT NULL DEFAULT 'UTC';
ALTER TABLE "pulse_load" ALTER COLUMN "timeZone" DROP DEFAULT;
ALTER TABLE "pulse_moments" ADD COLUMN "timeZone" TEXT NOT NULL DEFAULT 'UTC';
ALTER TABLE "pulse_moments" ALTER COLUMN "timeZone" DROP DEFAULT;

-- Exposures are counted by the quarter of an hour.
ALTER TABLE "experiment_exposure_count" ADD COLUMN "quarter" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "experiment_exposure_count" ALTER COLUMN "quarter" DROP DEFAULT;
ALTER TABLE "experiment_exposure_count" DROP CONSTRAINT "experiment_exposure_count_pkey";
ALTER TABLE "experiment_exposure_count" ADD CONSTRAINT "experiment_exposure_count_pkey"
    PRIMARY KEY ("projectID", "experimentID", "groupID", "day", "quarter");
DELETE FROM "experiment_exposure_count";
INSERT INTO "experiment_exposure_count" ("projectID", "experimentID", "groupID", "day", "quarter", "units")
SELECT "projectID", "experimentID", "groupID", "firstTime" / 86400000, "firstTime" % 86400000 / 900000, count(*)
FROM "experiment_exposure" GROUP BY 1, 2, 3, 4, 5;
