-- AlterTable
ALTER TABLE "key" ADD COLUMN     "expiresTime" BIGINT,
ADD COLUMN     "limitsWrites" BOOLEAN;
-- Keys that exist never expire, and write what they may write today until they are patched.
UPDATE "key" SET "limitsWrites" = false, "entity" = left("entity", -1) || ',"expiresTime":null,"limitsWrites":false}';
ALTER TABLE "key" ALTER COLUMN "limitsWrites" SET NOT NULL;
