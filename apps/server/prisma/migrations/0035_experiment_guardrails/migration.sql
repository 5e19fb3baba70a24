-- Experiments have guardrails as gates do.
ALTER TABLE "guardrail_look" RENAME COLUMN "gateID" TO "subjectID";
ALTER TABLE "guardrail_look" ADD COLUMN "subjectType" TEXT NOT NULL DEFAULT 'gate';
ALTER TABLE "guardrail_look" ALTER COLUMN "subjectType" DROP DEFAULT;
ALTER TABLE "guardrail_look" DROP CONSTRAINT "guardrail_look_pkey";
ALTER TABLE "guardrail_look" ADD CONSTRAINT "guardrail_look_pkey" PRIMARY KEY ("projectID", "subjectType", "subjectID");

ALTER TABLE "guardrail_alert" RENAME COLUMN "gateID" TO "subjectID";
ALTER TABLE "guardrail_alert" RENAME COLUMN "ruleID" TO "partID";
ALTER TABLE "guardrail_alert" ADD COLUMN "subjectType" TEXT NOT NULL DEFAULT 'gate';
ALTER TABLE "guardrail_alert" ALTER COLUMN "subjectType" DROP DEFAULT;
DROP INDEX "guardrail_alert_projectID_gateID_raisedTime_id_idx";
CREATE INDEX "guardrail_alert_subject_idx" ON "guardrail_alert"("projectID", "subjectType", "subjectID", "raisedTime" DESC, "id");
