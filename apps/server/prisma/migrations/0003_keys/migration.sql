-- AlterTable
ALTER TABLE "key" ADD COLUMN     "entity" TEXT,
ADD COLUMN     "environments" TEXT[],
ADD COLUMN     "lastUsedTime" BIGINT,
ADD COLUMN     "primaryTargetApp" TEXT,
ADD COLUMN     "scopes" TEXT[],
ADD COLUMN     "status" TEXT,
ADD COLUMN     "targetApps" TEXT[],
ADD COLUMN     "type" TEXT;

-- Keys that exist are console keys that may do everything, as they could before.
UPDATE "key" SET
    "type" = 'CONSOLE',
    "status" = CASE WHEN "revokedTime" IS NULL THEN 'active' ELSE 'deactivated' END,
    "scopes" = '{omni_read_write,can_access_keys}',
    "environments" = '{}',
    "targetApps" = '{}';
UPDATE "key" SET "entity" = json_build_object(
    'id', "id",
    'hint', NULL,
    'type', "type",
    'description', "name",
    'scopes', "scopes",
    'environments', "environments",
    'primaryTargetApp', NULL,
    'secondaryTargetApps', "targetApps",
    'status', "status",
    'creatorID', 'system',
    'creatorName', 'GATEHOUSE',
    'creatorEmail', NULL,
    'createdTime', "createdTime",
    'lastModifierID', 'system',
    'lastModifierName', 'GATEHOUSE',
    'lastModifierEmail', NULL,
    'lastModifiedTime', COALESCE("revokedTime", "createdTime"),
    'version', "version"
)::text;

-- AlterTable
ALTER TABLE "key" DROP COLUMN "name",
DROP COLUMN "revokedTime",
ALTER COLUMN "entity" SET NOT NULL,
ALTER COLUMN "status" SET NOT NULL,
ALTER COLUMN "type" SET NOT NULL;

-- CreateIndex
CREATE INDEX "key_projectID_createdTime_id_idx" ON "key"("projectID", "createdTime" DESC, "id");
