-- CreateTable
CREATE TABLE "settings" (
    "projectID" TEXT NOT NULL,
    "defaultUnitType" TEXT NOT NULL,
    "requireTeams" BOOLEAN NOT NULL,
    "version" INTEGER NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "settings_pkey" PRIMARY KEY ("projectID")
);
