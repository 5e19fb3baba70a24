-- Works with servers whose last migration is 0011_webhooks, which do not know the tables.
-- Evaluations of prompts, the datasets that they use, and the endpoints at which models are asked.

-- CreateTable
CREATE TABLE "model_endpoint" (
    "projectID" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "model_endpoint_pkey" PRIMARY KEY ("projectID")
);

-- CreateTable
CREATE TABLE "model_secret" (
    "projectID" TEXT NOT NULL,
    "encrypted" TEXT NOT NULL,

    CONSTRAINT "model_secret_pkey" PRIMARY KEY ("projectID")
);

-- CreateTable
CREATE TABLE "prompt_evaluation" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "promptID" TEXT NOT NULL,
    "versionID" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "message" TEXT,
    "setup" TEXT NOT NULL,
    "rows" INTEGER NOT NULL,
    "completedRows" INTEGER NOT NULL DEFAULT 0,
    "failedRows" INTEGER NOT NULL DEFAULT 0,
    "sums" TEXT NOT NULL,
    "creatorName" TEXT NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "startedTime" BIGINT,
    "finishedTime" BIGINT,
    "runner" TEXT,
    "leasedUntil" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "prompt_evaluation_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "prompt_evaluation_row" (
    "projectID" TEXT NOT NULL,
    "evaluationID" TEXT NOT NULL,
    "row" INTEGER NOT NULL,
    "input" TEXT NOT NULL,
    "expected" TEXT,
    "status" TEXT NOT NULL DEFAULT 'PENDING',
    "output" TEXT,
    "message" TEXT,
    "scores" TEXT NOT NULL DEFAULT '[]',
    "durationMs" INTEGER,

    CONSTRAINT "prompt_evaluation_row_pkey" PRIMARY KEY ("projectID","evaluationID","row")
);

-- CreateTable
CREATE TABLE "prompt_dataset" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "teamID" TEXT,
    "lastModifiedTime" BIGINT NOT NULL,
    "sortName" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "searchGrams" INTEGER[],
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "prompt_dataset_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateIndex
CREATE INDEX "prompt_evaluation_projectID_promptID_createdTime_id_idx" ON "prompt_evaluation"("projectID", "promptID", "createdTime" DESC, "id");

-- CreateIndex
CREATE INDEX "prompt_evaluation_projectID_leasedUntil_idx" ON "prompt_evaluation"("projectID", "leasedUntil");

-- CreateIndex
CREATE INDEX "prompt_evaluation_finishedTime_leasedUntil_idx" ON "prompt_evaluation"("finishedTime", "leasedUntil");

-- CreateIndex
CREATE INDEX "prompt_dataset_projectID_createdTime_id_idx" ON "prompt_dataset"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE INDEX "prompt_dataset_projectID_lastModifiedTime_id_idx" ON "prompt_dataset"("projectID", "lastModifiedTime" DESC, "id");

-- CreateIndex
CREATE INDEX "prompt_dataset_projectID_sortName_id_idx" ON "prompt_dataset"("projectID", "sortName", "id");

-- CreateIndex
CREATE INDEX "prompt_dataset_searchGrams_idx" ON "prompt_dataset" USING GIN ("searchGrams");
