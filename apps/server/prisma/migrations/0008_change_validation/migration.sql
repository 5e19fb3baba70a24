-- Works with servers whose last migration is 0007_releases, which ask no webhook.
-- A webhook can validate changes before they are committed.

ALTER TABLE "review" ADD COLUMN "validationDueTime" BIGINT;

CREATE INDEX "review_validationDueTime_idx" ON "review"("validationDueTime");
