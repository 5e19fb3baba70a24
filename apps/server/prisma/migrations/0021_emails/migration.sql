-- Works with servers whose last migration is 0020_dashboards, which send no email.
-- Emails that wait to be sent, and the kinds of notifications that people get by email.

-- AlterTable
ALTER TABLE "notification_settings" ADD COLUMN     "emailed" TEXT[];

-- CreateTable
CREATE TABLE "email" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "projectID" TEXT NOT NULL,
    "personID" TEXT,
    "tokenID" TEXT,
    "content" TEXT NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "dueTime" BIGINT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "isCounted" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "email_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "email_dueTime_idx" ON "email"("dueTime");

-- CreateIndex
CREATE INDEX "email_projectID_kind_idx" ON "email"("projectID", "kind");
