-- Works with servers whose last migration is 0004_scheduled_changes.
-- Lists filter by the owner of holdouts, layers and segments.

-- AlterTable
ALTER TABLE "holdout" ADD COLUMN     "ownerID" TEXT;

-- AlterTable
ALTER TABLE "layer" ADD COLUMN     "ownerID" TEXT;

-- AlterTable
ALTER TABLE "segment" ADD COLUMN     "ownerID" TEXT;
