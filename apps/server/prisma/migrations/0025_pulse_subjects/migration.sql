-- Gates' rules and holdouts have loads and results as experiments do.
ALTER TABLE "pulse_load" RENAME COLUMN "experimentID" TO "subjectID";
ALTER TABLE "pulse_load" ADD COLUMN "subjectType" TEXT NOT NULL DEFAULT 'experiment', ADD COLUMN "ruleID" TEXT NOT NULL DEFAULT '',
  ADD COLUMN "units" TEXT;
ALTER TABLE "pulse_load" ALTER COLUMN "subjectType" DROP DEFAULT, ALTER COLUMN "ruleID" DROP DEFAULT;
DROP INDEX "pulse_load_projectID_experimentID_createdTime_id_idx";
CREATE INDEX "pulse_load_subject_idx" ON "pulse_load"("projectID", "subjectType", "subjectID", "ruleID", "createdTime" DESC, "id");

ALTER TABLE "pulse_moments" RENAME COLUMN "experimentID" TO "subjectID";
ALTER TABLE "pulse_moments" ADD COLUMN "subjectType" TEXT NOT NULL DEFAULT 'experiment', ADD COLUMN "ruleID" TEXT NOT NULL DEFAULT '';
ALTER TABLE "pulse_moments" ALTER COLUMN "subjectType" DROP DEFAULT, ALTER COLUMN "ruleID" DROP DEFAULT;
ALTER TABLE "pulse_moments" DROP CONSTRAINT "pulse_moments_pkey";
ALTER TABLE "pulse_moments" ADD CONSTRAINT "pulse_moments_pkey" PRIMARY KEY ("projectID", "subjectType", "subjectID", "ruleID", "metricID");
