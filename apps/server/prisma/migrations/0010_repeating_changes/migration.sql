-- Works with servers whose last migration is 0009_code_references, which do not know the column.
-- Scheduled changes that repeat.

-- AlterTable
ALTER TABLE "scheduled_change" ADD COLUMN     "seriesID" TEXT;
