-- CreateTable
CREATE TABLE "person" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "isAdministrator" BOOLEAN NOT NULL,
    "isActive" BOOLEAN NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "person_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateTable
CREATE TABLE "password" (
    "personID" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "changedTime" BIGINT NOT NULL,

    CONSTRAINT "password_pkey" PRIMARY KEY ("personID")
);

-- CreateTable
CREATE TABLE "session" (
    "id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "personID" TEXT NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "lastUsedTime" BIGINT NOT NULL,
    "endsTime" BIGINT NOT NULL,
    "address" TEXT,
    "userAgent" TEXT,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "one_time_token" (
    "id" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "purpose" TEXT NOT NULL,
    "personID" TEXT,
    "createdTime" BIGINT NOT NULL,
    "endsTime" BIGINT NOT NULL,

    CONSTRAINT "one_time_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "member" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "member_pkey" PRIMARY KEY ("projectID","id")
);

-- CreateIndex
CREATE INDEX "person_projectID_createdTime_id_idx" ON "person"("projectID", "createdTime" DESC, "id");

-- CreateIndex
CREATE UNIQUE INDEX "person_projectID_email_key" ON "person"("projectID", "email");

-- CreateIndex
CREATE UNIQUE INDEX "session_hash_key" ON "session"("hash");

-- CreateIndex
CREATE INDEX "session_personID_idx" ON "session"("personID");

-- CreateIndex
CREATE UNIQUE INDEX "one_time_token_hash_key" ON "one_time_token"("hash");

-- CreateIndex
CREATE INDEX "member_id_idx" ON "member"("id");

-- CreateIndex
CREATE INDEX "member_projectID_createdTime_id_idx" ON "member"("projectID", "createdTime" DESC, "id");

-- The project of the instance itself: people, and the log of their changes. It has no keys and no members.
INSERT INTO "project" ("id", "name", "createdTime") VALUES ('instance', 'instance', 0);
