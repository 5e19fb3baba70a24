-- Works with servers whose last migration is 0017_autotune_days, which do not know the columns.
-- Lists filter by the owner of autotunes, alerts, param stores, prompt datasets, release pipelines and ingestion sources, and by the team of the last two.

-- AlterTable
ALTER TABLE "alert" ADD COLUMN     "ownerID" TEXT;

-- AlterTable
ALTER TABLE "autotune" ADD COLUMN     "ownerID" TEXT;

-- AlterTable
ALTER TABLE "ingestion_source" ADD COLUMN     "ownerID" TEXT,
ADD COLUMN     "teamID" TEXT;

-- AlterTable
ALTER TABLE "param_store" ADD COLUMN     "ownerID" TEXT;

-- AlterTable
ALTER TABLE "prompt_dataset" ADD COLUMN     "ownerID" TEXT;

-- AlterTable
ALTER TABLE "release_pipeline" ADD COLUMN     "ownerID" TEXT,
ADD COLUMN     "teamID" TEXT;
