-- Works with servers whose last migration is 0008_change_validation, which do not know the table.
-- The places in code that use entities.

-- CreateTable
CREATE TABLE "code_reference" (
    "projectID" TEXT NOT NULL,
    "repository" TEXT NOT NULL,
    "branch" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "commit" TEXT,
    "uploadedTime" BIGINT NOT NULL,
    "entityType" TEXT NOT NULL,
    "entityID" TEXT NOT NULL,
    "file" TEXT NOT NULL,
    "line" INTEGER NOT NULL,
    "text" TEXT,
    "url" TEXT,

    CONSTRAINT "code_reference_pkey" PRIMARY KEY ("projectID","repository","branch","position")
);

-- CreateIndex
CREATE INDEX "code_reference_projectID_entityType_entityID_idx" ON "code_reference"("projectID", "entityType", "entityID");
