-- CreateTable
CREATE TABLE "warehouse_connection" (
    "projectID" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "entity" TEXT NOT NULL,

    CONSTRAINT "warehouse_connection_pkey" PRIMARY KEY ("projectID")
);

-- CreateTable
CREATE TABLE "warehouse_secret" (
    "projectID" TEXT NOT NULL,
    "encrypted" TEXT NOT NULL,

    CONSTRAINT "warehouse_secret_pkey" PRIMARY KEY ("projectID")
);
