-- CreateTable
CREATE TABLE "experiment_checks" (
    "projectID" TEXT NOT NULL,
    "experimentID" TEXT NOT NULL,
    "hour" BIGINT NOT NULL,
    "checks" BIGINT NOT NULL,

    CONSTRAINT "experiment_checks_pkey" PRIMARY KEY ("projectID","experimentID","hour")
);

-- Exposures of the last days are counted, as far as their experiment exists.
INSERT INTO "experiment_checks" ("projectID", "experimentID", "hour", "checks")
SELECT event."projectID", "exposed", event."time" / 3600000 * 3600000, count(*)
FROM (
  SELECT "projectID", "exposed", least("time", (extract(epoch FROM now()) * 1000)::bigint) AS "time" FROM "event"
  WHERE "exposed" IS NOT NULL AND "name" IN ('statsig::config_exposure', 'statsig::layer_exposure')
    AND "day" >= (extract(epoch FROM now()) / 86400)::int - 9
) AS event
JOIN "experiment" ON "experiment"."projectID" = event."projectID" AND "experiment"."id" = "exposed"
GROUP BY 1, 2, 3;
