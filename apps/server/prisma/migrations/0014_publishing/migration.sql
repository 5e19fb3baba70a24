-- Works with servers whose last migration is 0013_notifications, which do not know the columns.
-- The environments where people of a role may change what users get.

-- AlterTable
ALTER TABLE "role" ADD COLUMN     "publishesEverywhere" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "publishesIn" TEXT[] DEFAULT ARRAY[]::TEXT[];
