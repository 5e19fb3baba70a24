-- Works with servers whose last migration is 0021_emails, which offer no device logins.
-- Logins of programs that wait until a person approves them.

-- CreateTable
CREATE TABLE "device_login" (
    "id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "userCode" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "address" TEXT,
    "createdTime" BIGINT NOT NULL,
    "endsTime" BIGINT NOT NULL,
    "polledTime" BIGINT,
    "state" TEXT NOT NULL,
    "personID" TEXT,
    "projectID" TEXT,
    "access" TEXT,
    "keyDays" INTEGER,

    CONSTRAINT "device_login_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "device_login_hash_key" ON "device_login"("hash");

-- CreateIndex
CREATE UNIQUE INDEX "device_login_userCode_key" ON "device_login"("userCode");

-- CreateIndex
CREATE INDEX "device_login_endsTime_idx" ON "device_login"("endsTime");
