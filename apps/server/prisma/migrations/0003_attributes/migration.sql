-- Works with servers whose last migration is 0002_owners, which do not know the table.
-- People describe the attributes of users, and hide them.

CREATE TABLE "attribute" (
    "projectID" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdTime" BIGINT NOT NULL,
    "entity" TEXT NOT NULL,
    "derivation" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "attribute_pkey" PRIMARY KEY ("projectID","id")
);
