-- CreateTable
CREATE TABLE "dynamic_config_checks" (
    "projectID" TEXT NOT NULL,
    "configID" TEXT NOT NULL,
    "hour" BIGINT NOT NULL,
    "checks" BIGINT NOT NULL,

    CONSTRAINT "dynamic_config_checks_pkey" PRIMARY KEY ("projectID","configID","hour")
);
