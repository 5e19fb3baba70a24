-- Works with servers whose last migration is 0001_baseline.
-- Lists filter by the team and the owner of entities, and by whether alerts pause the rollouts of gates.

-- AlterTable
ALTER TABLE "alert" ADD COLUMN     "teamID" TEXT;

-- AlterTable
ALTER TABLE "autotune" ADD COLUMN     "teamID" TEXT;

-- AlterTable
ALTER TABLE "dynamic_config" ADD COLUMN     "ownerID" TEXT,
ADD COLUMN     "teamID" TEXT;

-- AlterTable
ALTER TABLE "experiment" ADD COLUMN     "ownerID" TEXT;

-- AlterTable
ALTER TABLE "gate" ADD COLUMN     "isPaused" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "ownerID" TEXT,
ADD COLUMN     "teamID" TEXT;

-- AlterTable
ALTER TABLE "holdout" ADD COLUMN     "teamID" TEXT;

-- AlterTable
ALTER TABLE "layer" ADD COLUMN     "teamID" TEXT;

-- AlterTable
ALTER TABLE "metric" ADD COLUMN     "ownerID" TEXT,
ADD COLUMN     "teamID" TEXT;

-- AlterTable
ALTER TABLE "param_store" ADD COLUMN     "teamID" TEXT;

-- AlterTable
ALTER TABLE "prompt" ADD COLUMN     "ownerID" TEXT,
ADD COLUMN     "teamID" TEXT;

-- AlterTable
ALTER TABLE "segment" ADD COLUMN     "teamID" TEXT;
