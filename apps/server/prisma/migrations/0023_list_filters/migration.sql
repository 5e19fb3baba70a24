-- Works with servers whose last migration is 0022_device_logins, which do not know the columns.
-- Lists filter by the tags of param stores, prompts, prompt datasets and segments, by the status of autotunes, and by whether holdouts are enabled.
-- Open guardrail alerts of a project are listed.

-- AlterTable
ALTER TABLE "autotune" ADD COLUMN     "status" TEXT;

-- AlterTable
ALTER TABLE "holdout" ADD COLUMN     "isEnabled" BOOLEAN;

-- AlterTable
ALTER TABLE "param_store" ADD COLUMN     "tags" TEXT[];

-- AlterTable
ALTER TABLE "prompt" ADD COLUMN     "tags" TEXT[];

-- AlterTable
ALTER TABLE "prompt_dataset" ADD COLUMN     "tags" TEXT[];

-- AlterTable
ALTER TABLE "segment" ADD COLUMN     "tags" TEXT[];

-- CreateIndex
CREATE INDEX "guardrail_alert_open" ON "guardrail_alert"("projectID", "raisedTime" DESC, "id") WHERE ("resolvedTime" IS NULL);
