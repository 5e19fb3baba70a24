-- AlterTable
ALTER TABLE "experiment_health" ADD COLUMN     "events" TEXT;
