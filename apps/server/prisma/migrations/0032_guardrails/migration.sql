-- CreateTable
CREATE TABLE "guardrail_look" (
    "projectID" TEXT NOT NULL,
    "gateID" TEXT NOT NULL,
    "beginTime" BIGINT NOT NULL,
    "lookTime" BIGINT,
    "found" TEXT NOT NULL,

    CONSTRAINT "guardrail_look_pkey" PRIMARY KEY ("projectID","gateID")
);

-- CreateTable
CREATE TABLE "guardrail_alert" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "gateID" TEXT NOT NULL,
    "ruleID" TEXT NOT NULL,
    "metricID" TEXT NOT NULL,
    "raisedTime" BIGINT NOT NULL,
    "finding" TEXT NOT NULL,
    "resolvedTime" BIGINT,
    "resolvedBy" TEXT,
    "reasoning" TEXT,

    CONSTRAINT "guardrail_alert_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateIndex
CREATE INDEX "guardrail_alert_projectID_gateID_raisedTime_id_idx" ON "guardrail_alert"("projectID", "gateID", "raisedTime" DESC, "id");
