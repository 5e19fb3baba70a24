-- CreateTable
CREATE TABLE "project" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "lastSeq" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "project_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "key" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "revokedTime" BIGINT,
    "version" INTEGER NOT NULL,

    CONSTRAINT "key_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "change" (
    "projectID" TEXT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "seq" BIGINT,
    "time" BIGINT NOT NULL,
    "actorID" TEXT NOT NULL,
    "actorName" TEXT NOT NULL,
    "operationID" TEXT NOT NULL,
    "entityType" TEXT NOT NULL,
    "entityID" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "reason" TEXT,
    "before" TEXT,
    "after" TEXT,

    CONSTRAINT "change_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "gate" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "creatorID" TEXT,
    "creatorName" TEXT,
    "releasePipelineID" TEXT,
    "tags" TEXT[],
    "isArchived" BOOLEAN NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "gate_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "dynamic_config" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "creatorID" TEXT,
    "creatorName" TEXT,
    "releasePipelineID" TEXT,
    "tags" TEXT[],
    "isArchived" BOOLEAN NOT NULL,
    "referencedGates" TEXT[],
    "entity" TEXT NOT NULL,

    CONSTRAINT "dynamic_config_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "experiment" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "creatorID" TEXT,
    "creatorName" TEXT,
    "status" TEXT NOT NULL,
    "layerID" TEXT,
    "idType" TEXT NOT NULL,
    "teamID" TEXT,
    "tags" TEXT[],
    "entity" TEXT NOT NULL,

    CONSTRAINT "experiment_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "layer" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "layer_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "layer_overrides" (
    "projectID" TEXT NOT NULL,
    "layerID" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "layer_overrides_pkey" PRIMARY KEY ("projectID","layerID")
);

-- CreateTable
CREATE TABLE "segment" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "segment_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "environment_set" (
    "projectID" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "environment_set_pkey" PRIMARY KEY ("projectID")
);

-- CreateTable
CREATE TABLE "team" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "team_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "metric_source" (
    "projectID" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "metric_source_pkey" PRIMARY KEY ("projectID","name")
);

-- CreateTable
CREATE TABLE "release_pipeline" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "release_pipeline_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "param_store" (
    "projectID" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "param_store_pkey" PRIMARY KEY ("projectID","name")
);

-- CreateTable
CREATE TABLE "prompt" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "prompt_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "event" (
    "projectID" TEXT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "time" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "event_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "event_name" (
    "projectID" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "count" BIGINT NOT NULL,
    "firstTime" BIGINT NOT NULL,
    "lastTime" BIGINT NOT NULL,

    CONSTRAINT "event_name_pkey" PRIMARY KEY ("projectID","name")
);

-- CreateIndex
CREATE UNIQUE INDEX "key_hash_key" ON "key"("hash");

-- CreateIndex
CREATE INDEX "change_projectID_entityType_entityID_version_idx" ON "change"("projectID", "entityType", "entityID", "version");

-- CreateIndex
CREATE UNIQUE INDEX "change_projectID_seq_key" ON "change"("projectID", "seq");

-- CreateIndex
CREATE INDEX "gate_projectID_createdTime_id_idx" ON "gate"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE INDEX "dynamic_config_projectID_createdTime_id_idx" ON "dynamic_config"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE INDEX "dynamic_config_referencedGates_idx" ON "dynamic_config" USING GIN ("referencedGates");

-- CreateIndex
CREATE INDEX "experiment_projectID_createdTime_id_idx" ON "experiment"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE INDEX "experiment_projectID_layerID_idx" ON "experiment"("projectID", "layerID");

-- CreateIndex
CREATE INDEX "layer_projectID_createdTime_id_idx" ON "layer"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE INDEX "segment_projectID_createdTime_id_idx" ON "segment"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE INDEX "team_projectID_createdTime_id_idx" ON "team"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "team_projectID_name_key" ON "team"("projectID", "name");

-- CreateIndex
CREATE INDEX "metric_source_projectID_createdTime_name_idx" ON "metric_source"("projectID", "createdTime" DESC, "name");

-- CreateIndex
CREATE INDEX "release_pipeline_projectID_createdTime_id_idx" ON "release_pipeline"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE INDEX "param_store_projectID_createdTime_name_idx" ON "param_store"("projectID", "createdTime" DESC, "name");

-- CreateIndex
CREATE INDEX "prompt_projectID_createdTime_id_idx" ON "prompt"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE INDEX "event_projectID_name_time_id_idx" ON "event"("projectID", "name", "time" DESC, "id" DESC);

-- Numbers the changes of a project at commit: who has seen 10 will never later find a new 9. The lock on the project's row is
-- taken when the transaction commits and held for the commit alone.
CREATE FUNCTION "number_change"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    next BIGINT;
BEGIN
    UPDATE "project" SET "lastSeq" = "lastSeq" + 1 WHERE "id" = NEW."projectID" RETURNING "lastSeq" INTO STRICT next;
    UPDATE "change" SET "seq" = next WHERE "projectID" = NEW."projectID" AND "id" = NEW."id";
    RETURN NULL;
END
$$;

CREATE CONSTRAINT TRIGGER "number_change" AFTER INSERT ON "change"
    DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION "number_change"();
