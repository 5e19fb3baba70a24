-- CreateTable
CREATE TABLE "company" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "company_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "settings" (
    "projectID" TEXT NOT NULL,
    "defaultUnitType" TEXT NOT NULL,
    "requireTeams" BOOLEAN NOT NULL,
    "version" INTEGER NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "settings_pkey" PRIMARY KEY ("projectID")
);

-- An instance serves one company.
INSERT INTO "company" ("id", "name") VALUES (gen_random_uuid()::text, 'Gatehouse');
